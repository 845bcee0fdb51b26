import { attemptsWithAnswersOfAnyOrganisation } from '#store/webhooks/delivery-attempts.ts';
import type { Context } from '../context.ts';

/** Binds what was said to its attempt, so that it cannot be opened in another row. */
export const attemptBinding = (deliveryId: string, number: number): string => `${deliveryId}/${number}`;

/** Null if the receiver answered with an empty body. */
export const sealedAnswer = (
  { secrets }: Pick<Context, 'secrets'>,
  { deliveryId, number }: { deliveryId: string; number: number },
  answer: Buffer,
): Buffer | null =>
  answer.length === 0 ? null : secrets.seal('receiver-answer', attemptBinding(deliveryId, number), answer);

/** The attempts of a delivery, with the first bytes of what the receiver answered. Undefined if there is no such delivery. */
export async function answersOf({ store, secrets }: Pick<Context, 'store' | 'secrets'>, deliveryId: string) {
  const found = await attemptsWithAnswersOfAnyOrganisation(store.db, deliveryId);
  return found?.map(({ answer, ...attempt }) => ({
    ...attempt,
    /** Null if the receiver answered nothing, or if housekeeping or an erasure removed the answer. */
    answer:
      answer && secrets.openBytes('receiver-answer', attemptBinding(deliveryId, attempt.number), answer),
  }));
}
