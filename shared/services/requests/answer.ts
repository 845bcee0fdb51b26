import type { Db } from '#store/connection.ts';
import { requestsOf } from '#store/requests.ts';
import type { OrgScope } from '#store/scope.ts';
import type { Write } from '#store/statements.ts';
import type { Context } from '../context.ts';

/** An answer as it was first given: status and body text, so that a repeat is equal byte for byte (decision 21). */
export type Answer = { status: number; body: string };

/** An answer on its way out: the first time, or again to a repeat. */
export type GivenAnswer = Answer & { replayed: boolean };

/** What binds a stored answer to its request. */
export const answerBinding = (requestId: string) => `answer/${requestId}`;

/** Stores the answer in the transaction that does the work. It may hold a link or a secret, so it is sealed. */
export function sealedAnswerWrite(
  { secrets }: Pick<Context, 'secrets'>,
  tx: Db,
  scope: OrgScope,
  requestId: string,
  answer: { status: number; body: unknown },
): Write {
  const sealed = secrets.seal('stored-answer', answerBinding(requestId), JSON.stringify(answer.body));
  return requestsOf(scope, tx).answer(requestId, answer.status, sealed);
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
        body: secrets.open('stored-answer', answerBinding(requestId), stored.answer),
      }
    : undefined;
