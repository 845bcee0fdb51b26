import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { createSecrets } from '#platform/crypto/crypto.ts';
import { createTemporalClient, type TemporalClient } from '#platform/temporal/client.ts';
import { claimReview } from '#services/reviews/claim.ts';
import { decideReview } from '#services/reviews/decide.ts';
import { createReviewSweep } from '#services/reviews/restart.ts';
import { call } from '#test/support/harness.ts';
import { asOwner } from '#test/support/people/as-member.ts';
import { runProgram } from '#test/support/program.ts';
import { collectedLog } from '#test/support/run-logs.ts';
import { type Cluster, startCluster } from '../several/cluster.ts';
import { reasonsFor } from './reasons.ts';

/** Processes are killed between claim and decision, between decision and order, and while the order is carried out. */

const anna = { id: 'member-anna' };

let cluster: Cluster;
let temporal: TemporalClient;
const secrets = createSecrets([Buffer.alloc(32, 7)]);
let office: { key: string; orgId: string; databaseUrl: string };
beforeAll(async () => {
  cluster = await startCluster({ workers: 1 });
  const { key, organisationId: orgId } = await cluster.key({ org: 'Killed' });
  temporal = createTemporalClient(cluster.temporal.connection, { namespace: 'default', secrets });
  office = { key, orgId, databaseUrl: cluster.databaseUrl };
}, 90_000);
afterAll(() => cluster.stop());

const ctx = () => ({
  ...{ store: cluster.store, secrets, temporal, clock: systemClock, log: collectedLog('reviews') },
  deadlineAt: Date.now() + 10_000,
  reviewHeldMs: 0,
});

const as = (member: { id: string }) => asOwner(member, office.orgId, 'sandbox');

const inReview = async (): Promise<string> => {
  const body = { sandbox: { scenario: 'review' } };
  return (await call(cluster.apis[0], 'POST', '/v1/verifications', { key: office.key, body })).json.id;
};
const verdictOf = async (id: string) =>
  (await call(cluster.apis[0], 'GET', `/v1/verifications/${id}`, { key: office.key })).json.verdict;
const approved = (verificationId: string) =>
  ({ verificationId, outcome: 'approved', reasonIds: reasonsFor('approved') }) as const;
const reviewed = { outcome: 'approved', reviewed: true };

const expectOnce = async (id: string) => {
  await expect.poll(() => verdictOf(id), { timeout: 30_000 }).toMatchObject(reviewed);
  const lines = await cluster.rows<{ type: string }>`
    select type from ledger where subject_id = ${id} order by sequence`;
  expect(lines.map(({ type }) => type)).toEqual([
    ...['verification.created', 'review.claimed', 'verification.reviewed'],
  ]);
  const events = await cluster.rows`select from events where verification_id = ${id}`;
  expect(events).toHaveLength(2);
};

/** Waits until the process has killed itself. */
const killedApi = async (id: string, diesAfter: 'claim' | 'decision') => {
  const file = 'test/integration/reviews/dying-api.ts';
  const words = [office.orgId, id, anna.id, diesAfter];
  const { exited } = runProgram(file, { DATABASE_URL: office.databaseUrl }, words);
  expect(await exited, 'killed by a signal').toBeNull();
};

test('killed between claim and decision: the claim stays the member’s, who decides at another server', async () => {
  const id = await inReview();
  await killedApi(id, 'claim');
  await expect(claimReview(ctx(), as({ id: 'member-bram' }), { id })).rejects.toMatchObject({
    code: 'claimed_by_other',
  });
  expect(await decideReview(ctx(), as(anna), approved(id))).toMatchObject({ state: 'reviewed' });
  await expectOnce(id);
});

test('killed between the stored decision and its order: the sweep has it carried out', async () => {
  const id = await inReview();
  await killedApi(id, 'decision');
  const [row] = await cluster.rows<{ recorded: Date | null }>`
    select recorded_at as recorded from review_decisions where verification_id = ${id}`;
  expect(row).toEqual({ recorded: null });
  expect(await verdictOf(id)).toMatchObject({ reviewed: false });
  const clock = { ...systemClock, now: () => new Date(Date.now() + 121_000) };
  const swept = await createReviewSweep({ ...ctx(), clock })(new AbortController().signal);
  expect(swept).toEqual({ found: 1, failed: 0 });
  await expectOnce(id);
});

test('the worker killed while it carries the decision out: the next worker does it, once', async () => {
  const id = await inReview();
  await claimReview(ctx(), as(anna), { id });
  // Only the transaction that carries the decision out writes an event.
  const [held, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = cluster.store.transaction(async (tx) => {
    await sql`lock table events in share mode`.execute(tx);
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  const deciding = decideReview(ctx(), as(anna), approved(id));
  const waiting = () =>
    cluster.rows`select from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%events%'`;
  await expect.poll(async () => (await waiting()).length, { timeout: 10_000 }).toBeGreaterThan(0);
  for (const worker of cluster.workers) worker.signal('SIGKILL');
  await Promise.all(cluster.workers.map(({ exited }) => exited));
  held.resolve();
  await holding;
  await cluster.startWorker();
  expect(await deciding).toMatchObject({ decisionId: expect.any(String) });
  await expectOnce(id);
}, 60_000);

test('the worker killed while a decision can be taken back: the next one carries it out, and not before', async () => {
  const id = await inReview();
  await claimReview(ctx(), as(anna), { id });
  const heldMs = 8_000;
  const decided = await decideReview({ ...ctx(), reviewHeldMs: heldMs }, as(anna), approved(id));
  const at = Date.now();
  expect(decided.state).toBe('held');
  for (const worker of cluster.workers) worker.signal('SIGKILL');
  await Promise.all(cluster.workers.map(({ exited }) => exited));
  await cluster.startWorker();
  await expectOnce(id);
  expect(Date.now() - at).toBeGreaterThan(heldMs - 1_000);
}, 60_000);
