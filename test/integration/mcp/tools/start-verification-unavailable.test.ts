import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { callTool } from '#test/support/people/agent.ts';

const harness = await startHarness({ worker: false });

test('without a worker the result says in time that the outcome is unknown, and how to find it out', async () => {
  const { key } = await harness.key();
  const startedAt = Date.now();
  const { isError, error } = await callTool(harness, key, 'start_verification');
  expect(Date.now() - startedAt).toBeLessThan(11_000);
  expect(isError).toBe(true);
  expect(error).toEqual({
    code: 'service_unavailable',
    message: expect.stringContaining('Check with list_verifications'),
  });
});
