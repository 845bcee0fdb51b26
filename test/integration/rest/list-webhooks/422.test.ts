import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();

test.each([
  ['limit=501', 'invalid_parameter', 'limit must be an integer from 1 to 500.'],
  ['page=2', 'invalid_parameter', 'page is not a known field.'],
  [`starting_after=${randomUUID()}`, 'invalid_cursor', undefined],
])('%s is %s', async (query, code, message) => {
  const { status, json } = await call(harness, 'GET', `/v1/webhooks?${query}`, { key });
  expect(status).toBe(422);
  expect(json.error).toMatchObject({ code, ...(message !== undefined && { message }) });
});
