import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness();
const { key } = await harness.key();

const complete = (id: string, scenario: string) =>
  call(harness, 'POST', `/v1/verifications/${id}/complete`, { key, body: { scenario } });

test('a completed verification is already_completed and stays unchanged', async () => {
  covers(
    '3/completed-stays',
    '4.1/complete-409',
    '4.1/complete-already-completed',
    '7.1/409-already-completed',
  );
  const { json } = await call(harness, 'POST', '/v1/verifications', { key });
  const { status, json: refused } = await complete(json.id, 'rejected');
  expect(status).toBe(409);
  expect(refused.error).toMatchObject({ type: 'invalid_request_error', code: 'already_completed' });
  expect((await call(harness, 'GET', `/v1/verifications/${json.id}`, { key })).json).toEqual(json);
});

test('of twenty callers at once one gets 200 and the others 409, with one event', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { sandbox: { auto_complete: false } },
  });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      complete(json.id, ['approved', 'review', 'rejected'][i % 3] ?? 'approved'),
    ),
  );
  const winners = answers.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  expect((await call(harness, 'GET', `/v1/verifications/${json.id}`, { key })).json).toEqual(
    winners[0]?.json,
  );
  const rows = await harness.rows`select type from events where verification_id = ${json.id}`;
  expect(rows).toEqual([{ type: 'verification.completed' }]);
});
