import { Verification } from '#contract/verification.ts';
import type { Db } from '#store/connection.ts';
import type { Operation } from '#store/requests.ts';
import type { CallerContext } from '../context.ts';
import type { Actor } from '../ledger/append.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { once } from '../requests/once.ts';
import { evenIfLost } from './even-if-lost.ts';
import { requireVerification } from './get.ts';
import { verificationView } from './view.ts';
import { wakeRun } from './wake-run.ts';

/** Who gave an order, and the id of the request. The id is null for a command of the operator. */
export type Ordered = { actor: Actor; requestId: string | null };

/** Changes a verification for a key, answers with it as it is afterwards, and then wakes its run. */
export const changeVerification = (
  ctx: CallerContext,
  operation: Operation,
  id: string,
  change: (tx: Db, ordered: Ordered) => Promise<unknown>,
): Promise<GivenAnswer> =>
  evenIfLost(ctx, id, () =>
    once(
      ctx,
      operation,
      async (tx) => {
        await change(tx, { actor: { kind: 'key', id: ctx.keyId }, requestId: ctx.requestId });
        const body = Verification.parse(
          verificationView(ctx, await requireVerification({ ...ctx, db: tx }, id)),
        );
        return { status: 200, body, afterCommit: () => wakeRun(ctx, id) };
      },
      id,
    ),
  );
