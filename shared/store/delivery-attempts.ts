import { sql } from 'kysely';
import type { AttemptOutcome } from './entities/delivery-attempt.ts';
import type { Db } from './orm.ts';

/** Attempts of one delivery. Whoever calls these holds the lock on the delivery. */
export const attemptsOf = (deliveryId: string, db: Db) => ({
  last: () =>
    db
      .selectFrom('delivery_attempts')
      .select(['number', 'outcome', 'reason', 'responseStatus'])
      .select(sql<number>`(extract(epoch from now() - started_at) * 1000)::int`.as('ageMs'))
      .where('deliveryId', '=', deliveryId)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst(),

  insert: (number: number) => db.insertInto('delivery_attempts').values({ deliveryId, number }).execute(),

  /** False when another run has given the attempt an outcome meanwhile: a failure that comes late changes nothing. */
  async fail(number: number, attempt: SettledAttempt): Promise<boolean> {
    const settled = await db
      .updateTable('delivery_attempts')
      .set(attempt)
      .where('deliveryId', '=', deliveryId)
      .where('number', '=', number)
      .where('outcome', 'is', null)
      .returning('number')
      .executeTakeFirst();
    return settled !== undefined;
  },
});

/**
 * Delivery and attempt in one statement. The attempt is joined to the updated delivery, so that the delivery is locked first,
 * as everywhere else: the other order could deadlock.
 */
export const settleAsDelivered = (
  db: Db,
  deliveryId: string,
  number: number,
  attempt: Pick<SettledAttempt, 'responseStatus' | 'responseExcerpt' | 'durationMs'>,
) =>
  db
    .with('delivery', (query) =>
      query
        .updateTable('deliveries')
        .set({ status: 'delivered', nextAttemptAt: null })
        .where('id', '=', deliveryId)
        .returning('id'),
    )
    .updateTable('delivery_attempts')
    .from('delivery')
    .set({ ...attempt, outcome: 'delivered', reason: null })
    .whereRef('delivery_attempts.deliveryId', '=', 'delivery.id')
    .where('delivery_attempts.number', '=', number)
    .execute();

export type SettledAttempt = {
  outcome: AttemptOutcome;
  reason: string | null;
  responseStatus: number | null;
  responseExcerpt: Buffer | null;
  durationMs: number | null;
};
