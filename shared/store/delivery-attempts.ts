import { sql } from 'kysely';
import type { AttemptOutcome } from './entities/delivery-attempt.ts';
import type { Tx } from './orm.ts';

/** Attempts of one delivery. Whoever calls these holds the lock on the delivery. */
export const attemptsOf = (deliveryId: string, { db }: Tx) => ({
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

  /** False when another run has given the attempt an outcome meanwhile. */
  async settle(number: number, attempt: SettledAttempt): Promise<boolean> {
    const settled = await db
      .updateTable('delivery_attempts')
      .set(attempt)
      .where('deliveryId', '=', deliveryId)
      .where('number', '=', number)
      .where((eb) =>
        // A 2xx that arrives late still counts; a late failure changes nothing.
        attempt.outcome === 'delivered' ? eb.lit(true) : eb('outcome', 'is', null),
      )
      .returning('number')
      .executeTakeFirst();
    return settled !== undefined;
  },
});

export type SettledAttempt = {
  outcome: AttemptOutcome;
  reason: string | null;
  responseStatus: number | null;
  responseExcerpt: Buffer | null;
  durationMs: number | null;
};
