import type { ReviewOutcome } from '#contract/enums.ts';
import { limits } from '#contract/limits.ts';
import { newUuid } from '#platform/crypto/crypto.ts';
import { concludes, fits, reviewerReasons } from '#policy/reviews.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { settingsOf } from '#store/organisations/settings.ts';
import { reviewClaimsOf } from '#store/reviews/review-claims.ts';
import { reviewDecisionsOf } from '#store/reviews/review-decisions.ts';
import { assertMay, type Caller, memberIdOf } from '../caller.ts';
import type { RequestContext } from '../context.ts';
import { requireIndependent } from './independent.ts';
import { requireLook } from './looked.ts';
import { sealedNote } from './notes.ts';
import { lockSubject, type OpenReview, requireOpen } from './open.ts';
import { ReviewRefused } from './refused.ts';

type DecideContext = Pick<
  RequestContext,
  'store' | 'secrets' | 'temporal' | 'log' | 'deadlineAt' | 'reviewHeldMs'
>;

/** `reasonIds` are keys of the catalogue that `reviewerReasons` offers. `note` is for colleagues, at most `limits.reviewNoteCharacters`. */
export type ReviewOrder = {
  verificationId: string;
  outcome: ReviewOutcome;
  reasonIds: readonly string[];
  note?: string | undefined;
};

/**
 * `held`: the decision is safe, and the member can take it back until it is due. `reviewed`: the verdict is replaced. `awaits_other`: another
 * member has to decide too. `stored`: the decision is safe and will be carried out, at the latest by the sweep.
 */
export type Decided = { decisionId: string; state: 'held' | 'reviewed' | 'awaits_other' | 'stored' };

/**
 * Decides about a verification that the member has claimed (decisions 10 and 49). The decision is stored first. Its id is then the order to
 * the workflow, which carries it out from the row once it is due. So a decision that is stored is never lost and never carried out twice. The
 * same decision again gives the same answer.
 */
export async function decideReview(ctx: DecideContext, caller: Caller, order: ReviewOrder): Promise<Decided> {
  assertMay(caller, 'queue.decide');
  const { store, temporal, log, deadlineAt } = ctx;
  const { scope } = caller;
  const { verificationId } = order;
  const memberId = memberIdOf(caller);
  const { id, method } = await store.transaction((tx) => storeDecision(ctx, tx, { scope, memberId, order }));
  await temporal
    .command({ verificationId, ...scope, method }, 'review', { requestId: id }, deadlineAt)
    .catch((error: unknown) =>
      log.warn(
        { verification: verificationId, err: error },
        'the order of a stored decision failed; the sweep repeats it',
      ),
    );
  const stored = (await reviewDecisionsOf(scope, store.db, verificationId).decisions()).find(
    (each) => each.id === id,
  );
  if (!stored?.recordedAt)
    return { decisionId: id, state: stored !== undefined && stored.dueInMs > 0 ? 'held' : 'stored' };
  return { decisionId: id, state: stored.concludes ? 'reviewed' : 'awaits_other' };
}

type Ordered = { scope: OrgScope; memberId: string; order: ReviewOrder };

async function storeDecision(ctx: DecideContext, tx: Db, { scope, memberId, order }: Ordered) {
  const { verificationId, outcome } = order;
  const { reviewHeldMs: heldMs = limits.reviewHeldSeconds * 1000 } = ctx;
  const reasonIds = [...order.reasonIds];
  const subject = await lockSubject(tx, scope, verificationId);
  const reviews = reviewDecisionsOf(scope, tx, verificationId);
  const earlier = (await reviews.decisions()).find((each) => each.memberId === memberId);
  if (earlier !== undefined) {
    if (!isSame(earlier, order)) throw new ReviewRefused('already_decided');
    return { id: earlier.id, method: subject.method };
  }
  const open = await requireOpen(tx, scope, subject);
  if (!fits(reasonIds, outcome, reviewerReasons(open.grounds, outcome)))
    throw new ReviewRefused('reasons_do_not_fit');
  await requireIndependent(tx, scope, memberId, open.decisions);
  if (!(await reviewClaimsOf(scope, tx, verificationId).holds(memberId)))
    throw new ReviewRefused('claim_lost');
  await requireLook(tx, scope, memberId, open);
  const id = newUuid();
  const place = placeOf(open, outcome, await settingsOf(scope, tx).reviewEyes());
  const note = await sealedNote(ctx, tx, scope, { id, verificationId, note: order.note });
  if (!(await reviews.store({ id, memberId, outcome, reasonIds, note, heldMs, ...place })))
    throw new ReviewRefused('claim_lost');
  await writeAtOnce(tx, [reviewClaimsOf(scope, tx, verificationId).end()]);
  return { id, method: open.method };
}

/** The first note stays. */
const isSame = (earlier: Pick<ReviewOrder, 'outcome' | 'reasonIds'>, order: ReviewOrder): boolean =>
  earlier.outcome === order.outcome &&
  earlier.reasonIds.length === order.reasonIds.length &&
  earlier.reasonIds.every((id) => order.reasonIds.includes(id));

/** The first decision fixes how many members must agree. So a change of the setting changes no review that has begun. */
function placeOf({ decisions }: OpenReview, outcome: ReviewOutcome, setting: number) {
  const eyes = decisions[0]?.eyes ?? setting;
  return {
    eyes,
    number: decisions.length + 1,
    concludes: concludes(eyes, [...decisions, { outcome }]),
  };
}
