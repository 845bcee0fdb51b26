import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';

const harness = await startHarness({ worker: false });
const counts = async () =>
  (
    await harness.rows`select (select count(*) from events) as events, (select count(*) from deliveries) as deliveries`
  )[0];

test('an unknown, a malformed and a foreign endpoint are the same 404, and nothing is stored', async () => {
  covers('7.1/404', '1/organisation-isolation');
  const [ours, theirs] = [await startPartner(harness), await startPartner(harness)];
  for (const id of [randomUUID(), 'x', theirs.endpoint.id]) {
    const { status, json } = await ours.ask('POST', `/webhooks/${id}/test`);
    expect(status).toBe(404);
    expect(json.error).toMatchObject({ code: 'webhook_not_found' });
  }
  expect(await counts()).toEqual({ events: '0', deliveries: '0' });
});

test('a deactivated endpoint is 409 webhook_inactive, and nothing is stored', async () => {
  const { ask, path } = await startPartner(harness);
  await ask('DELETE', path);
  const { status, json } = await ask('POST', `${path}/test`);
  expect(status).toBe(409);
  expect(json.error).toMatchObject({ type: 'invalid_request_error', code: 'webhook_inactive' });
  expect(await counts()).toEqual({ events: '0', deliveries: '0' });
});

test('a field in the body is 422, since there is none', async () => {
  const { ask, path } = await startPartner(harness);
  const { status, json } = await ask('POST', `${path}/test`, { environment: 'live' });
  expect(status).toBe(422);
  expect(json.error).toMatchObject({
    code: 'invalid_parameter',
    message: 'environment is not a known field.',
  });
});
