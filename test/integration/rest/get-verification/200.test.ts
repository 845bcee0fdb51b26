import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type Harness, startHarness } from '#test/support/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

test('a verification reads as it was answered when it was created', async () => {
  const { key } = await harness.key();
  const created = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { reference: 'r', method: 'idin' },
  });
  const read = await call(harness, 'GET', `/v1/verifications/${created.json.id}`, { key });
  expect(read.status).toBe(200);
  expect(read.json).toEqual(created.json);
});

test('another key of the same organisation and environment reads it too', async () => {
  const [one, other] = [await harness.key(), await harness.key({ grants: ['verify:read'] })];
  const created = await call(harness, 'POST', '/v1/verifications', { key: one.key });
  const read = await call(harness, 'GET', `/v1/verifications/${created.json.id}`, { key: other.key });
  expect(read.json).toEqual(created.json);
});
