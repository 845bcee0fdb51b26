import { type RawBuilder, sql } from 'kysely';
import type { Expiring } from '#contract/workflows.ts';
import { uuidOfTime } from '#platform/crypto/crypto.ts';
import type { Db, Store } from '../database/connection.ts';
import { released } from '../requests.ts';
import { expiredByRow, overByLedger, type Removed } from './removals.ts';

/** At most `rowsMax` rows that are older than `before`. */
export type Batch = { before: Date; rowsMax: number };

/** Rows of all organisations that are older than `before`, oldest first. Each query has its own index. */
const old = {
  evidence: (db: Db, before: Date) =>
    db.selectFrom('evidence').where('expiresAt', '<', before).orderBy('expiresAt'),

  claims: (db: Db, before: Date) =>
    db
      .selectFrom('requests')
      .where('createdAt', '<', before)
      .where(sql<boolean>`(idempotency_key is not null or answer is not null or status = 'claimed')`)
      .orderBy('createdAt'),

  commands: (db: Db, before: Date) =>
    db.selectFrom('commands').where('createdAt', '<', before).orderBy('createdAt'),

  webhook_secrets: (db: Db, before: Date) =>
    db
      .selectFrom('webhook_endpoints')
      .where('previousSecretUntil', '<', before)
      .where('previousSecret', 'is not', null)
      .orderBy('previousSecretUntil'),

  event_bodies: (db: Db, before: Date) =>
    db
      .selectFrom('events')
      .where('createdAt', '<', before)
      .where('body', 'is not', null)
      .where(nothingToDeliver)
      .orderBy('createdAt'),

  response_excerpts: (db: Db, before: Date) =>
    db
      .selectFrom('delivery_attempts')
      .where('startedAt', '<', before)
      .where((eb) => eb.or([eb('answer', 'is not', null), eb('heads', 'is not', null)]))
      .orderBy('startedAt'),

  request_log: (db: Db, before: Date) =>
    db.selectFrom('request_log').where('createdAt', '<', before).orderBy('createdAt'),

  /** The ids begin with the time, so the primary key serves as the index. */
  requests: (db: Db, before: Date) =>
    db
      .selectFrom('requests')
      .where('id', '<', uuidOfTime(before))
      .where('createdAt', '<', before)
      .orderBy('id'),

  abandoned_verifications: (db: Db, before: Date) => overdue(db, 'abandoned_verifications', before),

  completed_verifications: (db: Db, before: Date) => overdue(db, 'completed_verifications', before),
};

/** The row says that the time is over, and so does the chain. */
const overdue = (db: Db, what: Removed, before: Date) =>
  expiredByRow[what](db, before).where(overByLedger[what](before));

const openDeliveries = (trigger: RawBuilder<boolean>) => sql<number>`(
  select count(*) from deliveries
  where deliveries.event_id = events.id and ${trigger} and deliveries.status in ('pending', 'retrying')
)`;

/**
 * True if the event has no open delivery. The deliveries with the trigger `event` have an index on the event id, and the others have
 * one too. In this form Postgres cannot use a join, which would read all open deliveries for every event.
 */
const nothingToDeliver = sql<boolean>`
  ${openDeliveries(sql`deliveries.trigger = 'event'`)} = 0 and ${openDeliveries(sql`deliveries.trigger <> 'event'`)} = 0`;

/**
 * Locks a batch of old rows. Rows that are locked already are skipped and left for a later batch. So several runs can work at once
 * without waits or deadlocks.
 */
export const expired = {
  evidence: (db: Db, { before, rowsMax }: Batch) =>
    old
      .evidence(db, before)
      .select(['verificationId', 'kind', 'orgId', 'environment'])
      .select(sql<boolean>`picture is not null`.as('hasPicture'))
      .limit(rowsMax)
      .forUpdate()
      .skipLocked(),

  claims: (db: Db, { before, rowsMax }: Batch) =>
    old.claims(db, before).select('id').limit(rowsMax).forUpdate().skipLocked(),

  commands: (db: Db, { before, rowsMax }: Batch) =>
    old.commands(db, before).select(['verificationId', 'requestId']).limit(rowsMax).forUpdate().skipLocked(),

  webhook_secrets: (db: Db, { before, rowsMax }: Batch) =>
    old.webhook_secrets(db, before).select('id').limit(rowsMax).forUpdate().skipLocked(),

  event_bodies: (db: Db, { before, rowsMax }: Batch) =>
    old.event_bodies(db, before).select('id').limit(rowsMax).forUpdate().skipLocked(),

  response_excerpts: (db: Db, { before, rowsMax }: Batch) =>
    old
      .response_excerpts(db, before)
      .select(['deliveryId as id', 'number'])
      .limit(rowsMax)
      .forUpdate()
      .skipLocked(),

  request_log: (db: Db, { before, rowsMax }: Batch) =>
    old.request_log(db, before).select(['createdAt', 'id']).limit(rowsMax).forUpdate().skipLocked(),

  requests: (db: Db, { before, rowsMax }: Batch) =>
    old.requests(db, before).select('id').limit(rowsMax).forUpdate().skipLocked(),

  abandoned_verifications: (db: Db, { before, rowsMax }: Batch) =>
    old.abandoned_verifications(db, before).select(idAndScope).limit(rowsMax).forUpdate().skipLocked(),

  completed_verifications: (db: Db, { before, rowsMax }: Batch) =>
    old.completed_verifications(db, before).select(idAndScope).limit(rowsMax).forUpdate().skipLocked(),
};

const idAndScope = ['id', 'orgId', 'environment'] as const;

const oldest: Record<
  Expiring,
  (db: Db, before: Date) => { executeTakeFirst(): Promise<{ at: Date } | undefined> }
> = {
  evidence: (db, before) => old.evidence(db, before).select('expiresAt as at').limit(1),
  claims: (db, before) => old.claims(db, before).select('createdAt as at').limit(1),
  webhook_secrets: (db, before) =>
    old.webhook_secrets(db, before).select(sql<Date>`previous_secret_until`.as('at')).limit(1),
  event_bodies: (db, before) => old.event_bodies(db, before).select('createdAt as at').limit(1),
  response_excerpts: (db, before) => old.response_excerpts(db, before).select('startedAt as at').limit(1),
  request_log: (db, before) => old.request_log(db, before).select('createdAt as at').limit(1),
  requests: (db, before) => old.requests(db, before).select('createdAt as at').limit(1),
  abandoned_verifications: (db, before) =>
    old.abandoned_verifications(db, before).select('linkExpiresAt as at').limit(1),
  completed_verifications: (db, before) =>
    old
      .completed_verifications(db, before)
      .select(sql<Date>`coalesce(relation_ended_at, completed_at)`.as('at'))
      .limit(1),
};

/** The time of the oldest row that has expired and was not purged. Undefined if there is none. */
export const oldestExpired = async (db: Db, what: Expiring, before: Date): Promise<Date | undefined> =>
  (await oldest[what](db, before).executeTakeFirst())?.at;

type Evidence = { verificationId: string; kind: string };

export const deleteEvidence = (tx: Db, rows: readonly Evidence[]) =>
  sql`
  delete from evidence using unnest(
    ${rows.map(({ verificationId }) => verificationId)}::uuid[], ${rows.map(({ kind }) => kind)}::text[]
  ) as gone (id, kind)
  where evidence.verification_id = gone.id and evidence.kind = gone.kind`.execute(tx);

/** Locks the verifications, so that nobody adds a line to their chains at the same time. */
export const lockVerifications = (tx: Db, ids: readonly string[]) =>
  tx.selectFrom('verifications').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute();

/** Purges one batch and returns the number of rows. */
export const purge: Record<
  Exclude<Expiring, Removed | 'evidence'>,
  (store: Store, batch: Batch) => Promise<number>
> = {
  async claims({ db }, batch) {
    const { numUpdatedRows } = await db
      .with('batch', () => expired.claims(db, batch))
      .updateTable('requests')
      .from('batch')
      .set(released)
      .whereRef('requests.id', '=', 'batch.id')
      .executeTakeFirstOrThrow();
    const { numDeletedRows } = await db
      .with('batch', () => expired.commands(db, batch))
      .deleteFrom('commands')
      .using('batch')
      .whereRef('commands.verificationId', '=', 'batch.verificationId')
      .whereRef('commands.requestId', '=', 'batch.requestId')
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows + numDeletedRows);
  },

  async webhook_secrets({ db }, batch) {
    const { numUpdatedRows } = await db
      .with('batch', () => expired.webhook_secrets(db, batch))
      .updateTable('webhook_endpoints')
      .from('batch')
      .set({ previousSecret: null, previousSecretUntil: null })
      .whereRef('webhook_endpoints.id', '=', 'batch.id')
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
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
      .set({ answer: null, heads: null })
      .whereRef('delivery_attempts.deliveryId', '=', 'batch.id')
      .whereRef('delivery_attempts.number', '=', 'batch.number')
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  },

  /** A day whose last line has expired is dropped whole. What remains are lines that have no partition of their own day. */
  async request_log({ db }, batch) {
    await sql`select drop_request_log_days(${batch.before})`.execute(db);
    const { numDeletedRows } = await db
      .with('batch', () => expired.request_log(db, batch))
      .deleteFrom('request_log')
      .using('batch')
      .whereRef('request_log.createdAt', '=', 'batch.createdAt')
      .whereRef('request_log.id', '=', 'batch.id')
      .executeTakeFirstOrThrow();
    await sql`select make_request_log_days()`.execute(db);
    return Number(numDeletedRows);
  },

  async requests({ db }, batch) {
    const { numDeletedRows } = await db
      .with('batch', () => expired.requests(db, batch))
      .deleteFrom('requests')
      .using('batch')
      .whereRef('requests.id', '=', 'batch.id')
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  },
};

/** Remembers that nothing of this kind was left to purge. */
export const recordPurge = (db: Db, what: Expiring) =>
  db
    .insertInto('purges')
    .values({ what, doneAt: sql<Date>`now()` })
    .onConflict((conflict) => conflict.column('what').doUpdateSet({ doneAt: sql<Date>`now()` }))
    .execute();

export const lastPurges = (db: Db) => db.selectFrom('purges').selectAll().execute();
