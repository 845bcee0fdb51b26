import { expect, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { newUuid } from '#platform/crypto/crypto.ts';
import { purgeExpired } from '#services/retention/purge.ts';
import { call, startHarness } from '#test/support/harness.ts';

/** Requests are deleted after 30 days. Everything that a verification needs is in its own row. */

const harness = await startHarness();
const { key, organisationId } = await harness.key();

const purgeInDays = (days: number) => {
  const clock = { ...harness.ctx.clock, now: () => new Date(Date.now() + days * 86_400_000) };
  return purgeExpired({ store: harness.housekeepingStore, clock }, { what: 'requests', rowsMax: 1_000 });
};
const requestOf = (id: string) => harness.rows`select 1 from requests where id = ${id}`;

test('a verification whose request was deleted and whose workflow was lost can still be completed', async () => {
  const body = { sandbox: { scenario: 'rejected', auto_complete: false } };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  // The first step of the workflow locks the request, and a purge leaves out what is locked.
  const hasBegun = () =>
    harness.rows`select from verifications where id = ${json.id} and run_due_since is null`;
  await expect.poll(hasBegun).toHaveLength(1);
  await purgeInDays(29);
  expect(await requestOf(json.id)).toHaveLength(1);
  await purgeInDays(31);
  expect(await requestOf(json.id)).toEqual([]);

  const run = harness.temporal.workflow.getHandle(verificationWorkflowId(json.id));
  await run.terminate('lost');
  const completed = await call(harness, 'POST', `/v1/verifications/${json.id}/complete`, { key });
  expect(completed.status).toBe(200);
  expect(completed.json).toMatchObject({
    id: json.id,
    status: 'completed',
    verdict: { outcome: 'rejected' },
  });
});

test('a request that is younger than its id says stays, because the clock of an API may be wrong', async () => {
  const id = newUuid();
  await harness.rows`
    insert into requests (id, org_id, environment, operation, fingerprint, created_at)
    values (${id}, ${organisationId}, 'sandbox', 'test_webhook', '\\x00', now() + interval '40 days')`;
  await purgeInDays(31);
  expect(await requestOf(id)).toHaveLength(1);
});
