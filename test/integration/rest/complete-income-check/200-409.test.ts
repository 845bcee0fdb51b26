import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness();
const { key } = await harness.key();

test('it completes once, with the scenario of the command or that of the create', async () => {
  const body = { sandbox: { scenario: 'review', auto_complete: false } };
  for (const [scenario, outcome] of [
    ['rejected', 'rejected'],
    [undefined, 'review'],
  ] as const) {
    const { json } = await call(harness, 'POST', '/v1/income-checks', { key, body });
    const complete = () =>
      call(harness, 'POST', `/v1/income-checks/${json.id}/complete`, {
        key,
        body: scenario ? { scenario } : {},
      });
    const done = await complete();
    expect([done.status, done.json.status, done.json.verdict.outcome]).toEqual([200, 'completed', outcome]);
    expect(done.json.result.currency).toBe('EUR');
    const again = await complete();
    expect([again.status, again.json.error.code]).toEqual([409, 'already_completed']);
  }
});
