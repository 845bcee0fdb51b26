import type { Returned } from '#contract/eid.ts';
import { minuteMs } from '#contract/time.ts';
import { sha256 } from '#platform/crypto/crypto.ts';
import { scopeOfLink } from '#store/database/scope.ts';
import { eidTransactionsOf, findReturnOfAnyOrganisation } from '#store/verifications/eid-transactions.ts';
import type { Context } from '../../context.ts';
import { wakeRun } from '../../runs/wake-run.ts';
import { linkToken } from '../../views/link.ts';

const validMs = 15 * minuteMs;

/**
 * The link of a person who comes back from a bank, and the language. The return proves nothing about the person: it only makes the next
 * question to the bank due. A code opens the link until fifteen minutes after the end of its visit. Undefined for a code that is unknown,
 * over, or not of this transaction.
 */
export async function followReturn(
  ctx: Pick<Context, 'store' | 'secrets' | 'clock' | 'temporal'>,
  { entranceCode, transactionId }: Returned,
) {
  const visit = await findReturnOfAnyOrganisation(ctx.store.db, sha256(entranceCode));
  if (visit === undefined || visit.transactionId !== transactionId) return undefined;
  if (ctx.clock.now().getTime() > visit.endsAt.getTime() + validMs) return undefined;
  if (!ctx.secrets.keyIds.includes(visit.linkKeyId)) return undefined;
  const { verificationId: id, language } = visit;
  // Who repeats a return makes no work for the run: a signal is kept in its history forever.
  if (await eidTransactionsOf(scopeOfLink(visit), ctx.store.db, id).noteReturn(visit.id))
    await wakeRun(ctx, id);
  return { token: linkToken(ctx.secrets, { ...visit, id }), language };
}
