import type { Db } from '#store/database/connection.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import type { Operation } from '#store/requests.ts';
import type { Caller } from '../caller.ts';
import type { RequestContext } from '../context.ts';
import { type GivenAnswer, sealedAnswerWrite } from './answer.ts';
import { claimRequest } from './claim.ts';

/** What a verb needs that is carried out once for each Idempotency-Key. */
export type OnceContext = Pick<RequestContext, 'store' | 'clock' | 'secrets' | 'request'>;

/** The answer to a command, and the work to do after the commit. */
export type Done = { status: number; body: unknown; afterCommit?: () => Promise<void> };

/**
 * Carries out a command in one transaction. If there is an Idempotency-Key, the same transaction claims the key and stores the
 * answer (decision 21). So a crash leaves either everything or nothing. A repetition gets the first answer. A concurrent
 * repetition waits for that answer.
 */
export async function once(
  ctx: OnceContext,
  caller: Pick<Caller, 'actor' | 'scope'>,
  operation: Operation,
  act: (tx: Db) => Promise<Done>,
  /** The verification that the answer is about. An erasure empties the answer; a repetition then acts again. */
  verificationId?: string,
): Promise<GivenAnswer> {
  const { afterCommit, ...answer } = await ctx.store.transaction(async (tx) => {
    if (ctx.request === undefined) return given(await act(tx));
    const { id, answer } = await claimRequest(ctx, tx, caller, {
      operation,
      input: null,
      ...(verificationId && { verificationId }),
    });
    if (answer !== undefined) return { ...answer, replayed: true };
    const done = await act(tx);
    await writeAtOnce(tx, [sealedAnswerWrite(ctx, tx, caller.scope, id, done)]);
    return given(done);
  });
  await afterCommit?.();
  return answer;
}

const given = ({ body, ...done }: Done): GivenAnswer & Pick<Done, 'afterCommit'> => ({
  ...done,
  body: JSON.stringify(body),
  replayed: false,
});
