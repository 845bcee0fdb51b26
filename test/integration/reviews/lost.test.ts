import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { Unavailable } from '#platform/failures.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { orphanedWorkflows } from '#services/inspection/orphaned-workflows.ts';
import { decideReview } from '#services/reviews/decide.ts';
import { recordReview } from '#services/reviews/record.ts';
import { createReviewSweep } from '#services/reviews/restart.ts';
import { takeBackDecision } from '#services/reviews/take-back.ts';
import { startHarness } from '#test/support/harness.ts';
import { runEnds } from '#test/support/rows/runs.ts';
import { anna, bram, reasonsFor, startOffice } from './support.ts';

/** The order of a stored decision is lost on its way, or somebody else sends one. */

let refused = 0;
beforeEach(() => {
  refused = 0;
});
const ordersRefused = {
  ...noInstruments.ordersRefused,
  add: (count: number) => {
    refused += count;
  },
};
const harness = await startHarness({ instruments: { ...noInstruments, ordersRefused } });
const office = await startOffice(harness);
const never = new AbortController().signal;
const sweepAfter = (ms: number) => {
  const clock = { ...harness.ctx.clock, now: () => new Date(Date.now() + ms) };
  return createReviewSweep({ ...harness.ctx, clock })(never);
};

const storedOnly = (id: string) => office.storeOnly(anna, id);

/** Until no delivery of a verification writes attempts any more. */
const deliveriesEnd = (id: string) =>
  expect
    .poll(
      () => harness.rows`
        select 1 from deliveries d join events e on e.id = d.event_id
        where verification_id = ${id} and d.status in ('pending', 'retrying')`,
    )
    .toEqual([]);

const orphans = async () => {
  const ids: string[] = [];
  for await (const each of orphanedWorkflows(harness.ctx)) ids.push(each);
  return ids;
};

const verdictOf = async (id: string) => (await office.read(id)).verdict;

test('a decision that is stored while Temporal is away is carried out by the sweep, once', async () => {
  const id = await office.inReview();
  await runEnds(harness, id);
  expect(await storedOnly(id)).toMatchObject({ state: 'stored' });
  expect(await verdictOf(id)).toMatchObject({ reviewed: false });
  expect(await sweepAfter(60_000)).toEqual({ found: 0, failed: 0 });
  expect(await sweepAfter(121_000)).toEqual({ found: 1, failed: 0 });
  await expect.poll(() => verdictOf(id)).toMatchObject({ outcome: 'approved', reviewed: true });
  await runEnds(harness, id);
  expect(await sweepAfter(121_000)).toEqual({ found: 0, failed: 0 });
  expect(await office.decide(anna, id)).toMatchObject({ state: 'reviewed' });
  expect(await office.lineTypes(id)).toEqual([
    ...['verification.created', 'review.claimed', 'verification.reviewed'],
  ]);
  expect(await office.events(id)).toHaveLength(2);
});

test('a restored database carries a decision out again although Temporal remembers its order', async () => {
  const id = await office.inReview();
  const before = await verdictOf(id);
  const [row] = await harness.rows<{ verdict: object }>`select verdict from verifications where id = ${id}`;
  await office.review(anna, id);
  expect(await verdictOf(id)).not.toEqual(before);
  await runEnds(harness, id);
  await deliveriesEnd(id);
  await harness.rows`update review_decisions set recorded_at = null where verification_id = ${id}`;
  await harness.rows`update verifications set verdict = ${JSON.stringify(row?.verdict)}::jsonb where id = ${id}`;
  await harness.rows`delete from ledger where subject_id = ${id} and sequence > 1`;
  await harness.rows`
    delete from delivery_attempts where delivery_id in (
      select d.id from deliveries d join events e on e.id = d.event_id
      where verification_id = ${id} and type = 'verification.reviewed')`;
  await harness.rows`
    delete from deliveries where event_id in (
      select id from events where verification_id = ${id} and type = 'verification.reviewed')`;
  await harness.rows`delete from events where verification_id = ${id} and type = 'verification.reviewed'`;
  expect(await verdictOf(id)).toEqual(before);
  expect(await sweepAfter(121_000)).toMatchObject({ found: 1, failed: 0 });
  await expect.poll(() => verdictOf(id)).toMatchObject({ outcome: 'approved', reviewed: true });
});

test('a decision whose order fails is stored, and the operator reads why', async () => {
  const id = await office.inReview();
  const warn = vi.fn();
  expect(await office.storeOnly(anna, id, 'approved', { warn })).toMatchObject({ state: 'stored' });
  expect(warn.mock.calls).toEqual([
    [
      { verification: id, err: expect.any(Unavailable) },
      'the order of a stored decision failed; the sweep repeats it',
    ],
  ]);
  expect(await office.decide(anna, id)).toMatchObject({ state: 'reviewed' });
});

test('while no worker runs, the decision waits for one, and its run is no orphan', async () => {
  const id = await office.inReview();
  await office.claim(anna, id);
  await harness.stopWorker();
  const deadlineAt = Date.now() + 2_500;
  const order = { verificationId: id, outcome: 'rejected', reasonIds: reasonsFor('rejected') } as const;
  expect(await decideReview({ ...office.ctx(), deadlineAt }, office.as(anna), order)).toMatchObject({
    state: 'stored',
  });
  const running = async () =>
    (await harness.temporal.workflow.getHandle(verificationWorkflowId(id)).describe()).status.name;
  await harness.rows`update verifications set completed_at = now() - interval '1 hour' where id = ${id}`;
  expect(await running()).toBe('RUNNING');
  expect(await orphans()).not.toContain(id);
  await harness.startWorker();
  await expect.poll(() => verdictOf(id), { timeout: 20_000 }).toMatchObject({ outcome: 'rejected' });
  expect(await office.events(id)).toHaveLength(2);
});

test('an order with the id of a decision that nobody stored changes nothing, and is counted', async () => {
  const id = await office.inReview();
  await office.claim(bram, id);
  const about = { verificationId: id, ...office.scope, method: 'document_liveness' } as const;
  await harness.ctx.temporal.command(about, 'review', { requestId: randomUUID() }, Date.now() + 10_000);
  expect(refused).toBe(1);
  expect(await verdictOf(id)).toMatchObject({ outcome: 'review', reviewed: false });
  expect(await office.lineTypes(id)).toEqual(['verification.created', 'review.claimed']);
});

test('a decision that was taken back leaves no refused order and no orphan, even if its order comes late', async () => {
  harness.ctx.reviewHeldMs = 60_000;
  const waits = await office.inReview();
  await office.review(anna, waits);
  const late = await office.inReview();
  await runEnds(harness, late);
  const { decisionId: requestId } = await storedOnly(late);
  for (const id of [waits, late]) await takeBackDecision(office.ctx(), office.as(anna), { id });
  harness.ctx.reviewHeldMs = 0;
  await harness.rows`update verifications set completed_at = now() - interval '1 hour' where id = ${waits}`;
  expect(await orphans()).not.toContain(waits);
  const about = { verificationId: late, ...office.scope, method: 'document_liveness' } as const;
  await harness.ctx.temporal.command(about, 'review', { requestId }, Date.now() + 10_000);
  expect(refused).toBe(0);
  expect(await verdictOf(late)).toMatchObject({ outcome: 'review', reviewed: false });
});

test('an order about an open verification changes nothing', async () => {
  const { json } = await office.ask('POST', '/verifications', { sandbox: { auto_complete: false } });
  const about = { verificationId: json.id, ...office.scope, method: 'document_liveness' } as const;
  await harness.ctx.temporal.command(about, 'review', { requestId: randomUUID() }, Date.now() + 10_000);
  expect(refused).toBe(1);
  expect((await office.read(json.id)).status).toBe('pending');
  expect((await office.ask('POST', `/verifications/${json.id}/complete`)).status).toBe(200);
});

test.each([
  ['another organisation', { orgId: '00000000-0000-7000-8000-000000000000', environment: 'sandbox' }],
  ['another environment', { orgId: office.organisationId, environment: 'live' }],
] as const)('an order of %s finds no verification', async (_, whose) => {
  const id = await office.inReview();
  const { decisionId } = await storedOnly(id);
  const order = { verificationId: id, ...whose, requestId: decisionId };
  expect(await recordReview(harness.ctx, order)).toMatchObject({ status: 'missing' });
  expect(await verdictOf(id)).toMatchObject({ reviewed: false });
});
