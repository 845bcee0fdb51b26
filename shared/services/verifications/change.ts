import type { Resource } from '#policy/resources.ts';
import type { Db } from '#store/connection.ts';
import type { Operation } from '#store/requests.ts';
import type { Caller } from '../caller.ts';
import type { Context, RequestContext } from '../context.ts';
import type { Actor } from '../ledger/append.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { type OnceContext, once } from '../requests/once.ts';
import { answerAbout } from './answer-about.ts';
import { evenIfLost, type LostContext } from './even-if-lost.ts';
import { requireCase } from './get.ts';
import { wakeRun } from './wake-run.ts';

/** Who gave an order, and the id of the request. The id is null for a command of the operator. */
export type Ordered = { actor: Actor; requestId: string | null };

/** What is changed, and by which operation. */
export type Changing = { operation: Operation; resource: Resource; id: string };

/** What a verb needs that changes a verification or an income check. */
export type ChangeContext = OnceContext &
  LostContext &
  Pick<Context, 'publicUrl'> &
  Pick<RequestContext, 'requestId'>;

/** Changes a verification or an income check for a key, answers with it as it is afterwards, and then wakes its run. */
export const changeCase = (
  ctx: ChangeContext,
  { actor, scope }: Pick<Caller, 'actor' | 'scope'>,
  { operation, resource, id }: Changing,
  change: (tx: Db, ordered: Ordered) => Promise<unknown>,
): Promise<GivenAnswer> =>
  evenIfLost(ctx, scope, id, () =>
    once(
      ctx,
      { actor, scope },
      operation,
      async (tx) => {
        await requireCase({ ...ctx, db: tx }, scope, id, resource);
        await change(tx, { actor, requestId: ctx.requestId });
        const body = await answerAbout({ ...ctx, db: tx }, scope, id);
        return { status: 200, body, afterCommit: () => wakeRun(ctx, id) };
      },
      id,
    ),
  );
