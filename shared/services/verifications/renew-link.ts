import { Problem } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { Db } from '#store/database/connection.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { eidTransactionsOf } from '#store/verifications/eid-transactions.ts';
import { evidenceEndOf } from '#store/verifications/evidence.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../ledger/append.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { lifetimeAfterStartMs, linkLifetimeMs, noLink } from '../views/link.ts';
import { type ById, type ChangeContext, changeCase, type Ordered, type Which } from './change.ts';

/**
 * Gives a verification a fresh link (decision 43). The link before is unknown from then on, and who is at a bank with it cannot finish
 * there. A cancelled or expired verification is open again, at the step where the person was.
 */
export const renewLink = (ctx: ChangeContext, caller: Caller, { id }: ById): Promise<GivenAnswer> =>
  renewLinkOfCase(ctx, caller, { id, resource: 'verification' });

export async function renewLinkOfCase(
  ctx: ChangeContext,
  caller: Caller,
  which: Which,
): Promise<GivenAnswer> {
  assertMay(caller, 'verifications.change');
  return changeCase(ctx, caller, { operation: 'renew_link', ...which }, (tx, ordered) =>
    replaceLink({ ...ctx, tx }, caller, ordered),
  );
}

/** Throws `already_completed`, `erased`, `already_submitted` or `too_many_links`. */
export async function replaceLink(
  { secrets, tx }: Pick<Context, 'secrets'> & { tx: Db },
  caller: Caller,
  { id, requestId }: Ordered,
): Promise<void> {
  assertMay(caller, 'verifications.change');
  const { actor, scope } = caller;
  const verifications = verificationsOf(scope, tx);
  const verification = await verifications.lock(id);
  if (verification === undefined) throw new Problem('verification_not_found');
  const { status, submittedAt, erasedAt, now: at } = verification;
  if (status === 'completed') throw new Problem('already_completed');
  if (erasedAt !== null) throw new Problem('erased');
  // Nobody has anything to hand in.
  if (verification.linkVersion === noLink) throw new Problem('already_submitted');
  const linkVersion = verification.linkVersion + 1;
  if (linkVersion > limits.linksPerVerificationMax) throw new Problem('too_many_links');
  const lifetimeMs = status === 'pending' ? linkLifetimeMs : lifetimeAfterStartMs;
  const linkExpiresAt = new Date(at.getTime() + lifetimeMs);
  const line = await nextLine(tx, scope, {
    ...{ subjectId: id, type: 'verification.link_renewed', actor, at },
    data: { request_id: requestId, link_version: linkVersion, expires_at: linkExpiresAt.toISOString() },
  });
  const link = { linkVersion, linkKeyId: secrets.newestKeyId, linkExpiresAt };
  await writeAtOnce(tx, [
    verifications.renewLink(id, link),
    eidTransactionsOf(scope, tx, id).endWithLink(),
    ...(submittedAt === null
      ? [evidenceEndOf(scope, tx, id).keepUnsentUntil(linkExpiresAt, limits.unsentPictureHoursMax)]
      : []),
    ...line,
  ]);
}
