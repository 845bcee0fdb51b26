import type { Resource } from '#policy/resources.ts';
import type { Db } from '#store/database/connection.ts';
import type { Operation } from '#store/requests.ts';
import type { Caller } from '../caller.ts';
import type { Context, RequestContext } from '../context.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { type OnceContext, once } from '../requests/once.ts';
import { evenIfLost, type LostContext } from '../runs/even-if-lost.ts';
import { wakeRun } from '../runs/wake-run.ts';
import { answerAbout } from './answer-about.ts';
import { requireCase } from './get.ts';

/** What is changed in a transaction. The id of the request is null if a page or a command asks. */
export type Ordered = { id: string; requestId: string | null };

export type ById = { id: string };

/** The verification or income check that a verb changes. With `resource`, a row of the other kind is not found. */
export type Which = ById & { resource?: Resource };

/** What a verb needs that changes a verification or an income check. */
export type ChangeContext = OnceContext &
  LostContext &
  Pick<Context, 'publicUrl'> &
  Pick<RequestContext, 'requestId'>;

/**
 * Changes a verification or an income check, answers a request with it as it is afterwards, and then wakes its run. Nobody reads the answer
 * to a page, and its link may be of a key that is lost, which must not stop an erasure.
 */
export const changeCase = (
  ctx: ChangeContext,
  by: Pick<Caller, 'actor' | 'scope'>,
  { operation, resource, id }: Which & { operation: Operation },
  change: (tx: Db, ordered: Ordered) => Promise<unknown>,
): Promise<GivenAnswer> =>
  evenIfLost(ctx, by.scope, id, () =>
    once(
      ctx,
      by,
      operation,
      async (tx) => {
        const inside = { ...ctx, db: tx };
        const { requestId } = ctx;
        await requireCase(inside, by.scope, id, resource);
        await change(tx, { id, requestId });
        const body = requestId === null ? null : await answerAbout(inside, by.scope, id);
        return { status: 200, body, afterCommit: () => wakeRun(ctx, id) };
      },
      id,
    ),
  );
