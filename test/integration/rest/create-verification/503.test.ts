import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();

test('without a worker the outcome is unknown; after its return the same key finds the one verification', async () => {
  const create = () =>
    call(harness, 'POST', '/v1/verifications', {
      key,
      body: { reference: 'r' },
      headers: { 'idempotency-key': 'outage' },
    });

  const startedAt = Date.now();
  const during = await create();
  expect(during.status).toBe(503);
  expect(Date.now() - startedAt).toBeLessThan(11_000);
  expect(during.json.error).toMatchObject({ type: 'api_error', code: 'service_unavailable' });
  expect(during.json.error.message).toContain('the same Idempotency-Key');
  expect(Number(during.headers['retry-after'])).toBeGreaterThan(0);

  await harness.startWorker();
  const after = await create();
  expect(after.status).toBe(201);
  const again = await create();
  expect(again.text).toBe(after.text);
  const rows = await harness.rows`select id from verifications`;
  expect(rows).toEqual([{ id: after.json.id }]);
});
