import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';

const harness = await startHarness({ worker: false });

test('an unknown, a malformed and a foreign endpoint are the same 404', async () => {
  covers('7.1/404', '1/organisation-isolation');
  const [ours, theirs] = [await startPartner(harness), await startPartner(harness)];
  for (const id of [randomUUID(), 'x', theirs.endpoint.id]) {
    const { status, json } = await ours.ask('POST', `/webhooks/${id}/rotate-secret`);
    expect(status).toBe(404);
    expect(json.error).toMatchObject({ type: 'not_found_error', code: 'webhook_not_found' });
  }
});

test.each([
  [{ overlap_hours: -1 }, 'overlap_hours must be at least 0.'],
  [{ overlap_hours: 169 }, 'overlap_hours must be at most 168.'],
  [{ overlap_hours: 0.5 }, 'overlap_hours must be an integer.'],
  [{ overlap_hours: null }, 'overlap_hours must be a number.'],
  [{ overlap: 1 }, 'overlap is not a known field.'],
])('%j is 422: %s', async (body, message) => {
  const { ask, path } = await startPartner(harness);
  const { status, json } = await ask('POST', `${path}/rotate-secret`, body);
  expect(status).toBe(422);
  expect(json.error).toMatchObject({ code: 'invalid_parameter', message });
});
