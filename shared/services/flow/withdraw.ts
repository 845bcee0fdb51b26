import { awaitsEvidence } from '#policy/flow.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { eidTransactionsOf } from '#store/verifications/eid-transactions.ts';
import { evidenceOf } from '#store/verifications/evidence.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { nextLine } from '../ledger/append.ts';
import { wakeRun } from '../runs/wake-run.ts';
import type { FlowContext } from './commands.ts';
import { isByCurrentLink } from './evidence.ts';
import type { Link } from './find-link.ts';

/**
 * The person takes the consent back before Send: the pictures are deleted, and the link opens nothing any more. A fresh link asks for
 * consent again. After Send this does nothing, since only the organisation can then erase.
 */
export async function withdraw(ctx: FlowContext, link: Link): Promise<void> {
  const { scope, id, environment } = link;
  const isWithdrawn = await ctx.store.transaction(async (tx) => {
    const verifications = verificationsOf(scope, tx);
    const verification = await verifications.lock(id);
    if (verification === undefined || !awaitsEvidence(verification)) return false;
    if (!isByCurrentLink(link, verification)) return false;
    const { now: at } = verification;
    const kinds = await evidenceOf(scope, tx, id).removeAll();
    const line = await nextLine(tx, scope, {
      ...{ subjectId: id, type: 'verification.withdrawn', actor: { kind: 'person' }, at },
      data: { request_id: ctx.requestId, kinds },
    });
    await writeAtOnce(tx, [
      verifications.cancel(id, { at, withdrawn: true }),
      eidTransactionsOf(scope, tx, id).removeAll(),
      ...line,
    ]);
    return true;
  });
  const outcome = isWithdrawn ? 'done' : 'too_late';
  ctx.instruments.flowSteps.add(1, { step: 'withdraw', outcome, environment });
  if (isWithdrawn) await wakeRun(ctx, id);
}
