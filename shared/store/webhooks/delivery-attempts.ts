import { type NotNull, sql } from 'kysely';
import type { AttemptPhase, AttemptReason } from '#contract/enums.ts';
import type { Db } from '../database/connection.ts';
import { compiledOnce, isOfThisTransaction } from '../database/statements.ts';
import type { AttemptOutcome } from '../entities/webhooks/delivery-attempt.ts';
import { healthy, successToTell } from './endpoint-health.ts';

/**
 * Claims attempt `number` of each of these deliveries, and returns the data to send of those that were claimed. A delivery is left out that
 * is not open or is queued, whose endpoint is paused or not active, whose earlier claim has no outcome yet, or of which another attempt is next. If two
 * callers claim at once, the primary key lets only one succeed (decision 31). Nothing may be sent before the claim is committed: outside of
 * a transaction that is so when the function returns.
 */
export const claimAttempts = (db: Db, deliveryIds: readonly string[], number: number) =>
  claimEach(db, { deliveryIds, number, onlyNew: false });

/** Claims the first attempts of those deliveries that this transaction has written. Any other one has a workflow, which asks for its turn. */
export const claimNewDeliveries = (tx: Db, deliveryIds: readonly string[]) =>
  claimEach(tx, { deliveryIds, number: 1, onlyNew: true });

const claimEach = compiledOnce((db: Db, { deliveryIds, number, onlyNew }: Claims & { onlyNew: boolean }) =>
  db
    .with('claimed', (query) =>
      query
        .insertInto('delivery_attempts')
        .columns(['deliveryId', 'number', 'startedAt'])
        .expression((eb) =>
          eb
            .selectFrom('deliveries')
            .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'deliveries.endpointId')
            .select(['deliveries.id', sql<number>`${number}::smallint`.as('number')])
            // An attempt has its time from now on, whatever the transaction waited for.
            .select(sql<Date>`clock_timestamp()`.as('startedAt'))
            .where(sql<boolean>`(not ${onlyNew}::boolean or ${isOfThisTransaction('deliveries')})`)
            .where(sql<boolean>`deliveries.id = any(${deliveryIds}::uuid[])`)
            .where('deliveries.status', 'in', ['pending', 'retrying'])
            .where('deliveries.queuedAt', 'is', null)
            .where('webhook_endpoints.active', 'is', true)
            .where(isNotHeld)
            .where(nextNumber, '=', number),
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
      'deliveries.orgId',
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
    // The body is not null, because housekeeping keeps the body of an event that has an open delivery.
    .$narrowType<{ body: NotNull }>(),
);

/** A test is sent to a paused endpoint too, so that its owner can try it before resuming it. */
const isNotHeld = sql<boolean>`(webhook_endpoints.paused_at is null or deliveries.trigger = 'test')`;

type Claim = { deliveryId: string; number: number };
type Claims = { deliveryIds: readonly string[]; number: number };

/** Null if no overlap after a rotation is running (decision 35). */
const previousSecretInOverlap = sql<Buffer | null>`
  case when previous_secret_until > now() then previous_secret end`.as('previousSecret');

/** Removes a claim that has no outcome. The caller must be certain that nothing was sent for this claim. */
export const unclaimAttempt = (db: Db, deliveryId: string, number: number) =>
  db
    .deleteFrom('delivery_attempts')
    .where('deliveryId', '=', deliveryId)
    .where('number', '=', number)
    .where('outcome', 'is', null)
    .execute();

/** The number of the next attempt. Null if an attempt has no outcome yet. Null equals no number, so then no claim succeeds. */
const nextNumber = sql<number>`(
  select case when bool_and(outcome is not null) is false then null else count(*) + 1 end
  from delivery_attempts where delivery_id = deliveries.id
)`;

/** The milliseconds since the begin of the attempt that has no outcome yet. Undefined if there is none. */
export const ageOfOpenAttemptOfAnyOrganisation = async (db: Db, deliveryId: string) =>
  (await findOpen(db, { deliveryId }))[0]?.ageMs;

const findOpen = compiledOnce((db: Db, { deliveryId }: { deliveryId: string }) =>
  db
    .selectFrom('delivery_attempts')
    .select(ageMs)
    .where('deliveryId', '=', deliveryId)
    .where('outcome', 'is', null),
);

const ageMs = sql<number>`least(extract(epoch from now() - started_at) * 1000, 2000000000)::int`.as('ageMs');

/** The caller must hold the lock on the delivery. */
export const attemptsOf = (deliveryId: string, db: Db) => ({
  last: () =>
    db
      .selectFrom('delivery_attempts')
      .select(['number', 'outcome', 'reason', 'responseStatus'])
      .select(ageMs)
      .where('deliveryId', '=', deliveryId)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst(),

  /** Returns false and changes nothing if the attempt already has an outcome. */
  async fail(number: number, attempt: SettledAttempt): Promise<boolean> {
    const settled = await db
      .with('keeping', () => keeping(db, deliveryId))
      .updateTable('delivery_attempts')
      .set({ ...attempt, ...contentsToKeep(deliveryId, attempt) })
      .where('deliveryId', '=', deliveryId)
      .where('number', '=', number)
      .where('outcome', 'is', null)
      .returning('number')
      .executeTakeFirst();
    return settled !== undefined;
  },
});

/**
 * The delivery, if nobody has erased the verification that it is about. The lock waits for an erasure that is under way, and makes one
 * that begins wait. So what a receiver answers to an event that was sent before is never stored after the erasure.
 */
const keeping = (db: Db, deliveryId: string) =>
  db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .innerJoin('verifications', 'verifications.id', 'events.verificationId')
    .select('deliveries.id')
    .where('deliveries.id', '=', deliveryId)
    .where('verifications.erasedAt', 'is', null)
    .forShare('verifications');

const contentsToKeep = (deliveryId: string, { answer, heads }: Contents) => ({
  answer: ifKept(deliveryId, answer),
  heads: ifKept(deliveryId, heads),
});

/** The events of a test are about no verification. */
const ifKept = (deliveryId: string, contents: Buffer | null) =>
  sql<Buffer | null>`case
    when ${contents}::bytea is null then null
    when exists (select from keeping) or exists (
      select from deliveries join events on events.id = deliveries.event_id
      where deliveries.id = ${deliveryId} and events.verification_id is null)
    then ${contents}::bytea end`;

/**
 * Writes the delivery, the attempt and the health of the endpoint in one statement. The join makes Postgres lock the delivery
 * before the attempt, as all other code does. The reverse order could cause a deadlock.
 */
export const settleAsDelivered = compiledOnce((db: Db, made: Claim & Accepted) =>
  db
    .with('keeping', () => keeping(db, made.deliveryId))
    .with('delivery', (query) =>
      query
        .updateTable('deliveries')
        .set({ status: 'delivered', nextAttemptAt: null, queuedAt: null })
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
      ...contentsToKeep(made.deliveryId, made),
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
  durationMs: number | null;
} & Contents;

/** What was said, sealed. */
export type Contents = { answer: Buffer | null; heads: Buffer | null };

/** Returns undefined if there is no such delivery. Answers and headers are sealed. */
export async function attemptsWithAnswersOfAnyOrganisation(db: Db, deliveryId: string) {
  const delivery = await db
    .selectFrom('deliveries')
    .select('id')
    .where('id', '=', deliveryId)
    .executeTakeFirst();
  if (delivery === undefined) return undefined;
  return db
    .selectFrom('delivery_attempts')
    .select(['number', 'startedAt', 'durationMs', 'outcome', 'reason', 'phase', 'responseStatus'])
    .select(['answer', 'heads'])
    .where('deliveryId', '=', deliveryId)
    .orderBy('number')
    .execute();
}
