import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import type { Write } from '#store/database/statements.ts';
import { requestsOf } from '#store/requests.ts';
import type { Context } from '../context.ts';

/** The first answer to a request. Its body is text, so that a repetition gets the same bytes (decision 21). */
export type Answer = { status: number; body: string };

/** `replayed` is true if a repetition gets the answer of an earlier request. */
export type GivenAnswer = Answer & { replayed: boolean };

/** Binds a stored answer to its request, so that it cannot be opened for another request. */
export const answerBinding = (requestId: string) => `answer/${requestId}`;

/**
 * Builds the write of the answer, for the transaction that does the work. The answer is sealed, because it may contain a link or a
 * secret.
 */
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
  { secrets }: Pick<Context, 'secrets'>,
  requestId: string,
  stored: Stored | undefined,
): Answer | undefined =>
  stored?.answer && stored.answerStatus
    ? {
        status: stored.answerStatus,
        body: secrets.open('stored-answer', answerBinding(requestId), stored.answer),
      }
    : undefined;
