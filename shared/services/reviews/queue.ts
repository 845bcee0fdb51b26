import type { CheckKind } from '#contract/enums.ts';
import type { ReasonId } from '#policy/reasons.ts';
import { settingsOf } from '#store/organisations/settings.ts';
import { reviewQueueOf } from '#store/reviews/review-queue.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { assertMay, type Caller, memberIdOf } from '../caller.ts';
import type { Context } from '../context.ts';
import { type Page, pageOf } from '../portions/page.ts';

/** A verification that waits for a person. Times are in milliseconds. */
export type QueuedReview = {
  id: string;
  method: string;
  reference: string | null;
  outcome: string;
  /** The kinds of checks that are in doubt or failed. */
  doubts: CheckKind[];
  reasonIds: ReasonId[];
  waitedMs: number;
  /** The time until the first picture is deleted. Null if there is no picture, as in sandbox. */
  evidenceLeftMs: number | null;
  /** True while its review copy is still being made, so that nobody can look at it yet. */
  isCopyDue: boolean;
  claim: { memberId: string; expiresAt: Date } | null;
  /** How many members have decided, and how many must agree. What they chose is not told. */
  decisions: number;
  eyes: number;
  /** True if this member has decided, so that another one must. */
  decidedByMember: boolean;
};

/** Lists the verifications that wait for a person, oldest verdict first. `startingAfter` is the id of the last row of the page before. */
export async function listQueue(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  caller: Caller,
  { limit, startingAfter }: { limit: number; startingAfter?: string | undefined },
): Promise<Page<QueuedReview>> {
  assertMay(caller, 'queue.see');
  const { scope } = caller;
  const memberId = memberIdOf(caller);
  const now = clock.now().getTime();
  const queue = reviewQueueOf(scope, store.db);
  const eyes = await settingsOf(scope, store.db).reviewEyes();
  const rows = {
    newest: (page: { limit: number; after: string | undefined }) => queue.oldest({ ...page, memberId }),
    find: verificationsOf(scope, store.db).find,
  };
  return pageOf(rows, { limit, starting_after: startingAfter }, (row) => ({
    ...{ id: row.id, method: row.method, reference: row.reference },
    outcome: row.verdict.outcome,
    doubts: [...new Set(row.doubts)],
    reasonIds: row.verdict.reasonIds as ReasonId[],
    waitedMs: Math.max(now - row.queuedAt.getTime(), 0),
    evidenceLeftMs: row.picturesEndAt && Math.max(row.picturesEndAt.getTime() - now, 0),
    isCopyDue: row.isCopyDue,
    claim:
      row.claimedBy !== null && row.claimedUntil !== null
        ? { memberId: row.claimedBy, expiresAt: row.claimedUntil }
        : null,
    decisions: row.decisions,
    eyes: row.eyes ?? eyes,
    decidedByMember: row.decidedByMember,
  }));
}

/** How many verifications wait for a person, counted up to `upTo`. */
export async function countWaiting(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  upTo: number,
): Promise<number> {
  assertMay(caller, 'queue.see');
  return (await reviewQueueOf(caller.scope, store.db).length(upTo)).waiting;
}

/** How full the queue is, and how fast it goes. Times are in milliseconds. Each count ends at 100,000. */
export type Throughput = {
  waiting: number;
  oldestWaitedMs: number | null;
  decidedLastDay: number;
  decidedLastWeek: number;
  /** Over the decisions of the last week. */
  medianWaitMs: number | null;
};

export async function queueThroughput(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  caller: Caller,
): Promise<Throughput> {
  assertMay(caller, 'queue.see');
  const queue = reviewQueueOf(caller.scope, store.db);
  const [{ waiting, oldestAt }, { lastDay, lastWeek, medianWaitMs }] = await Promise.all([
    queue.length(),
    queue.throughput(),
  ]);
  return {
    waiting,
    oldestWaitedMs: oldestAt && Math.max(clock.now().getTime() - oldestAt.getTime(), 0),
    ...{ decidedLastDay: lastDay, decidedLastWeek: lastWeek, medianWaitMs },
  };
}
