import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();

/** So many commands of one workflow the Temporal server of the tests keeps in progress, as that of the product does. */
const inProgressMax = 100;
const beyond = 5;

test('completions beyond what Temporal keeps in progress are refused at once, and do not wait as the others do', async () => {
  const body = { sandbox: { auto_complete: false } };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  const completion = async () => {
    const startedMs = performance.now();
    const { status, json: answer } = await call(harness, 'POST', `/v1/verifications/${json.id}/complete`, {
      key,
    });
    return { status, code: answer.error.code, tookMs: performance.now() - startedMs };
  };
  const answers = await Promise.all(Array.from({ length: inProgressMax + beyond }, completion));
  expect(answers.filter(({ status, code }) => status !== 503 || code !== 'service_unavailable')).toEqual([]);
  const tookMs = answers.map((answer) => answer.tookMs).sort((one, other) => one - other);
  const halfOfMost = (tookMs[inProgressMax / 2] ?? 0) / 2;
  expect(tookMs.filter((took) => took < halfOfMost)).toHaveLength(beyond);
});
