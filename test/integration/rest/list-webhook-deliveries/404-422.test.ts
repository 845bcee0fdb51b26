import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';

const harness = await startHarness({ worker: false });

test('an unknown, a malformed and a foreign endpoint are the same 404, whatever the cursor', async () => {
  covers('7.1/404', '1/organisation-isolation');
  const [ours, theirs] = [await startPartner(harness), await startPartner(harness)];
  for (const id of [randomUUID(), 'x', theirs.endpoint.id])
    for (const query of ['', '?starting_after=x']) {
      const { status, json } = await ours.ask('GET', `/webhooks/${id}/deliveries${query}`);
      expect(status).toBe(404);
      expect(json.error).toMatchObject({ type: 'not_found_error', code: 'webhook_not_found' });
    }
});

test('a cursor that is no delivery of this endpoint is 422 invalid_cursor', async () => {
  const [ours, other] = [await startPartner(harness), await startPartner(harness)];
  await other.ask('POST', `${other.path}/test`);
  const [{ id }] = await other.deliveries();
  for (const cursor of ['x', randomUUID(), id]) {
    const { status, json } = await ours.ask('GET', `${ours.path}/deliveries?starting_after=${cursor}`);
    expect(status).toBe(422);
    expect(json.error).toMatchObject({ code: 'invalid_cursor' });
  }
});

test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['status=lost', 'status'],
  ['status=', 'status'],
  ['status=failed&status=pending', 'status'],
  ['state=failed', 'state'],
])('?%s is 422 and names %s', async (query, field) => {
  const { ask, path } = await startPartner(harness);
  const { status, json } = await ask('GET', `${path}/deliveries?${query}`);
  expect(status).toBe(422);
  expect(json.error.code).toBe('invalid_parameter');
  expect(json.error.message).toContain(field);
});
