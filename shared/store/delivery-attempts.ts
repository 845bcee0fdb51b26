import { type NotNull, sql } from 'kysely';
import type { AttemptPhase, AttemptReason } from '#contract/enums.ts';
import type { Db } from './connection.ts';
import { healthy, successToTell } from './endpoint-health.ts';
import type { AttemptOutcome } from './entities/delivery-attempt.ts';
import { compiledOnce } from './statements.ts';

/**
 * Claims attempt `number` and returns the data to send. Undefined unless the delivery is open, its endpoint active, and this attempt
 * the next one. It is a statement of its own, so the claim is committed when it returns. Of two claims at once, the primary key
 * lets one succeed (decision 31).
 */
export const claimAttempt = async (db: Db, deliveryId: string, number: number) =>
  (await claimOne(db, { deliveryId, number }))[0];

const claimOne = compiledOnce((db: Db, { deliveryId, number }: Claim) =>
  db
    .with('claimed', (query) =>
      query
        .insertInto('delivery_attempts')
        .columns(['deliveryId', 'number'])
        .expression((eb) =>
          eb
            .selectFrom('deliveries')
            .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'deliveries.endpointId')
            .select(['deliveries.id', sql<number>`${number}::smallint`.as('number')])
            .where('deliveries.id', '=', deliveryId)
            .where('deliveries.status', 'in', ['pending', 'retrying'])
            .where('webhook_endpoints.active', '=', true)
            .where(nextNumber(deliveryId), '=', number),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning('deliveryId as id'),
    )
    .selectFrom('claimed')
    .innerJoin('deliveries', 'deliveries.id', 'claimed.id')
    .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'deliveries.endpointId')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .select([
      'deliveries.id',
      'deliveries.endpointId',
      'deliveries.eventId',
      'webhook_endpoints.url',
      'webhook_endpoints.secret',
      previousSecretInOverlap,
      'events.type as eventType',
      'events.body',
    ])
    .select(
      sql<number>`extract(epoch from clock_timestamp() - deliveries.created_at)::float8`.as('ageSeconds'),
    )
    // Housekeeping does not empty the body of an event with an open delivery.
    .$narrowType<{ body: NotNull }>(),
);

type Claim = { deliveryId: string; number: number };

/** Null unless the overlap after a rotation still runs (decision 35). */
const previousSecretInOverlap = sql<Buffer | null>`
  case when previous_secret_until > now() then previous_secret end`.as('previousSecret');

/** Takes a claim back: nothing was sent. */
export const unclaimAttempt = (db: Db, deliveryId: string, number: number) =>
  db
    .deleteFrom('delivery_attempts')
    .where('deliveryId', '=', deliveryId)
    .where('number', '=', number)
    .where('outcome', 'is', null)
    .execute();

/** The number after the last attempt. Null, which equals no number, while an attempt has no outcome. */
const nextNumber = (deliveryId: string) => sql<number>`(
  select case when bool_and(outcome is not null) is false then null else count(*) + 1 end
  from delivery_attempts where delivery_id = ${deliveryId}
)`;

/** Attempts of one delivery. The caller holds the lock on the delivery. */
export const attemptsOf = (deliveryId: string, db: Db) => ({
  last: () =>
    db
      .selectFrom('delivery_attempts')
      .select(['number', 'outcome', 'reason', 'responseStatus'])
      .select(sql<number>`least(extract(epoch from now() - started_at) * 1000, 2000000000)::int`.as('ageMs'))
      .where('deliveryId', '=', deliveryId)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst(),

  /** False if the attempt already has an outcome: a late failure changes nothing. */
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
 * Writes delivery, attempt and the endpoint's health in one statement. The attempt is joined to the updated delivery, so that the
 * delivery is locked first, as everywhere else. The other order could deadlock.
 */
export const settleAsDelivered = compiledOnce((db: Db, made: Claim & Accepted) =>
  db
    .with('delivery', (query) =>
      query
        .updateTable('deliveries')
        .set({ status: 'delivered', nextAttemptAt: null })
        .where('id', '=', made.deliveryId)
        .returning(['id', 'endpointId']),
    )
    .with('health', (query) =>
      query
        .updateTable('webhook_endpoints')
        .set(healthy)
        .where('id', 'in', (eb) =>
          successToTell(db).where('id', 'in', eb.selectFrom('delivery').select('endpointId')),
        ),
    )
    .updateTable('delivery_attempts')
    .from('delivery')
    .set({
      phase: made.phase,
      responseStatus: made.responseStatus,
      responseExcerpt: made.responseExcerpt,
      durationMs: made.durationMs,
      outcome: 'delivered',
      reason: null,
    })
    .whereRef('delivery_attempts.deliveryId', '=', 'delivery.id')
    .where('delivery_attempts.number', '=', made.number),
);

type Accepted = Omit<SettledAttempt, 'outcome' | 'reason'>;

export type SettledAttempt = {
  outcome: AttemptOutcome;
  reason: AttemptReason | null;
  phase: AttemptPhase | null;
  responseStatus: number | null;
  responseExcerpt: Buffer | null;
  durationMs: number | null;
};
