import type { Method, StoredKind } from '#contract/enums.ts';
import { Problem } from '#contract/errors.ts';
import type { Decision } from '#contract/workflows.ts';
import { type Grounds, groundsOf } from '#policy/reviews.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { reviewDecisionsOf } from '#store/reviews/review-decisions.ts';
import { reviewsOf } from '#store/reviews/reviews.ts';
import { evidenceEndOf } from '#store/verifications/evidence.ts';
import { maskingsOf } from '#store/verifications/maskings.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { ReviewRefused } from './refused.ts';

/** A verification that a person has to decide, with what was decided so far. `at` is the time of the transaction. */
export type OpenReview = {
  id: string;
  at: Date;
  method: Method;
  verdict: Decision;
  grounds: Grounds;
  /** The kinds of the pictures and of the answer of a bank that are stored. */
  kinds: StoredKind[];
  picturesEndAt: Date | undefined;
  decisions: Awaited<ReturnType<ReturnType<typeof reviewDecisionsOf>['decisions']>>;
};

/** Locks a verification. Throws if it is unknown. */
export async function lockSubject(tx: Db, scope: OrgScope, id: string) {
  const locked = await verificationsOf(scope, tx).lock(id);
  const subject = await reviewsOf(scope, tx, id).subject();
  if (locked === undefined || subject === undefined) throw new Problem('verification_not_found');
  return { ...subject, id, at: locked.now };
}

type Subject = Awaited<ReturnType<typeof lockSubject>>;

/** Throws unless a person still has to decide, and can: the masked copy must stand. The caller must hold the lock. */
export async function requireOpen(
  tx: Db,
  scope: OrgScope,
  { id, at, method, verdict, erasedAt, isInQueue }: Subject,
): Promise<OpenReview> {
  const decisions = await reviewDecisionsOf(scope, tx, id).decisions();
  if (erasedAt !== null) throw new ReviewRefused('erased');
  if (verdict?.reviewed || decisions.some(({ concludes }) => concludes))
    throw new ReviewRefused('already_reviewed');
  if (verdict === null || !isInQueue) throw new ReviewRefused('not_in_review');
  if (await maskingsOf(scope, tx, id).areOriginalsLeft()) throw new ReviewRefused('copy_not_ready');
  const stored = await evidenceEndOf(scope, tx, id).stored();
  const kinds = stored.map(({ kind }) => kind);
  const { environment } = scope;
  const grounds = groundsOf(method, { environment, reasonIds: verdict.reasonIds, kinds });
  return { id, at, method, verdict, grounds, kinds, picturesEndAt: stored[0]?.expiresAt, decisions };
}
