import { sql } from 'kysely';
import type { Expiring } from '#contract/workflows.ts';
import type { Db, Store } from './connection.ts';
import { released } from './requests.ts';

/** At most `rowsMax` rows that are older than `before`. */
export type Batch = { before: Date; rowsMax: number };

/**
 * Expired rows of all organisations, oldest first. Locked rows are skipped and left for a later batch. So several runs can work at
 * once without waits or deadlocks. Each query has its own index.
 */
export const expired = {
  claims: (db: Db, { before, rowsMax }: Batch) =>
    db
      .selectFrom('requests')
      .select('id')
      .where('createdAt', '<', before)
      .where(sql<boolean>`(idempotency_key is not null or answer is not null or status = 'claimed')`)
      .orderBy('createdAt')
      .limit(rowsMax)
      .forUpdate()
      .skipLocked(),

  request_log: (db: Db, { before, rowsMax }: Batch) =>
    db
      .selectFrom('request_log')
      .select('id')
      .where('createdAt', '<', before)
      .orderBy('createdAt')
      .limit(rowsMax)
      .forUpdate()
      .skipLocked(),

  event_bodies: (db: Db, { before, rowsMax }: Batch) =>
    db
      .selectFrom('events')
      .select('id')
      .where('createdAt', '<', before)
      .where('body', 'is not', null)
      .where(nothingToDeliver)
      .orderBy('createdAt')
      .limit(rowsMax)
      .forUpdate()
      .skipLocked(),

  response_excerpts: (db: Db, { before, rowsMax }: Batch) =>
    db
      .selectFrom('delivery_attempts')
      .select(['deliveryId as id', 'number'])
      .where('startedAt', '<', before)
      .where('responseExcerpt', 'is not', null)
      .orderBy('startedAt')
      .limit(rowsMax)
      .forUpdate()
      .skipLocked(),

  evidence: (db: Db, { before, rowsMax }: Batch) =>
    db
      .selectFrom('evidence')
      .select(['verificationId', 'kind'])
      .where('takenAt', '<', before)
      .orderBy('takenAt')
      .limit(rowsMax)
      .forUpdate()
      .skipLocked(),
};

/**
 * True if the event has no open delivery. Deliveries with the trigger `event` are found by the index on the event id. Open
 * deliveries with another trigger are few, so all of them are listed. In this form Postgres cannot use a join, which would read
 * all open deliveries for every event.
 */
const nothingToDeliver = sql<boolean>`(
  select count(*) from deliveries
  where deliveries.event_id = events.id and deliveries.trigger = 'event' and deliveries.status in ('pending', 'retrying')
) = 0 and events.id not in (
  select deliveries.event_id from deliveries
  where deliveries.trigger <> 'event' and deliveries.status in ('pending', 'retrying')
)`;

/** Purges one batch and returns the number of rows. */
export const purge: Record<Expiring, (store: Store, batch: Batch) => Promise<number>> = {
  async claims({ db }, batch) {
    const { numUpdatedRows } = await db
      .with('batch', () => expired.claims(db, batch))
      .updateTable('requests')
      .from('batch')
      .set(released)
      .whereRef('requests.id', '=', 'batch.id')
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  },

  async request_log({ db }, batch) {
    const { numDeletedRows } = await db
      .with('batch', () => expired.request_log(db, batch))
      .deleteFrom('request_log')
      .using('batch')
      .whereRef('request_log.id', '=', 'batch.id')
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  },

  /**
   * Uses two statements, because a delivery may be committed between the search for deliveries and the lock on the event. The
   * second statement sees such a delivery. After the lock, no further delivery can be added.
   */
  event_bodies: (store, batch) =>
    store.transaction(async (tx) => {
      const locked = await expired.event_bodies(tx, batch).execute();
      if (locked.length === 0) return 0;
      const ids = locked.map(({ id }) => id);
      const { numUpdatedRows } = await tx
        .updateTable('events')
        .set({ body: null })
        .where('id', 'in', ids)
        .where(nothingToDeliver)
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    }),

  async response_excerpts({ db }, batch) {
    const { numUpdatedRows } = await db
      .with('batch', () => expired.response_excerpts(db, batch))
      .updateTable('delivery_attempts')
      .from('batch')
      .set({ responseExcerpt: null })
      .whereRef('delivery_attempts.deliveryId', '=', 'batch.id')
      .whereRef('delivery_attempts.number', '=', 'batch.number')
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  },

  async evidence({ db }, batch) {
    const { numDeletedRows } = await db
      .with('batch', () => expired.evidence(db, batch))
      .deleteFrom('evidence')
      .using('batch')
      .whereRef('evidence.verificationId', '=', 'batch.verificationId')
      .whereRef('evidence.kind', '=', 'batch.kind')
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  },
};
