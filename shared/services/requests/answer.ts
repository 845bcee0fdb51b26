import { Request } from '#store/entities/request.ts';
import type { Tx } from '#store/orm.ts';
import type { Context } from '../context.ts';

/** An answer as it was first given: status and body text, so that a repeat is equal byte for byte (decision 21). */
export type Answer = { status: number; body: string };

const contextOf = (requestId: string) => `answer/${requestId}`;

/** Stores the answer in the transaction that does the work. It holds a link, so it is sealed. */
export async function sealAnswer(
  { secrets }: Context,
  tx: Tx,
  requestId: string,
  status: number,
  body: unknown,
): Promise<void> {
  const answer = secrets.seal('stored-answer', contextOf(requestId), JSON.stringify(body));
  await tx.em.nativeUpdate(Request, requestId, {
    status: 'answered',
    answerStatus: status,
    answer,
    input: null,
  });
}

type Stored = { answerStatus: number | null; answer: Buffer | null };

export const openAnswer = (
  { secrets }: Context,
  requestId: string,
  stored: Stored | undefined,
): Answer | undefined =>
  stored?.answer && stored.answerStatus
    ? {
        status: stored.answerStatus,
        body: secrets.open('stored-answer', contextOf(requestId), stored.answer),
      }
    : undefined;
