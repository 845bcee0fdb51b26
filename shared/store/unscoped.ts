import { type NotNull, sql } from 'kysely';
import type { SubscribableType } from '#contract/events.ts';
import type { Db } from './connection.ts';
import { compiledOnce, transactionTime } from './statements.ts';

/**
 * The short list of queries without an organisation: what proves an organisation in the first place (a key, a link), and
 * what workflows and the sweep name by an id of our own making.
 */

export const findKeyByHash = (db: Db, hash: Buffer) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'orgId', 'environment', 'grants', 'rateLimit', 'expiresAt', 'revokedAt'])
    .where('hash', '=', hash)
    .executeTakeFirst();

export const findLinkSource = (db: Db, verificationId: string) =>
  db
    .selectFrom('verifications')
    .innerJoin('organisations', 'organisations.id', 'verifications.orgId')
    .select([
      'verifications.id',
      'verifications.orgId',
      'verifications.environment',
      'verifications.status',
      'verifications.method',
      'verifications.scenario',
      'verifications.linkVersion',
      'verifications.linkKeyId',
      'verifications.linkExpiresAt',
      'verifications.submittedAt',
      'verifications.picturesTaken',
      'organisations.name as organisation',
    ])
    .where('verifications.id', '=', verificationId)
    .executeTakeFirst();

type Publishing = { id: string; type: SubscribableType };

/**
 * Locks the request, so that two runs of the same workflow cannot both carry it out. The endpoints that subscribe to this event
 * come along, so that publishing it needs no query of its own.
 */
export const lockRequest = async (db: Db, id: string, type: SubscribableType) =>
  (await lockRequestOnce(db, { id, type }))[0];

const lockRequestOnce = compiledOnce((db: Db, { id, type }: Publishing) =>
  db
    .selectFrom('requests')
    .select(['id', 'orgId', 'environment', 'status', 'input', 'createdAt'])
    .select([transactionTime, subscribers('requests', type)])
    .where('id', '=', id)
    .forUpdate(),
);

export type LockedRequest = NonNullable<Awaited<ReturnType<typeof lockRequest>>>;

const lockedVerification = (db: Db, id: string) =>
  db
    .selectFrom('verifications')
    .select(['id', 'orgId', 'environment', 'status', 'method', 'reference'])
    .select(['linkExpiresAt', 'submittedAt', transactionTime])
    .where('id', '=', id)
    .forUpdate();

export const lockVerification = async (db: Db, id: string) => (await lockVerificationOnce(db, { id }))[0];

const lockVerificationOnce = compiledOnce((db: Db, { id }: { id: string }) => lockedVerification(db, id));

/** The same, with the endpoints that subscribe to this event. */
export const lockVerificationAndSubscribers = async (db: Db, id: string, type: SubscribableType) =>
  (await lockVerificationAndSubscribersOnce(db, { id, type }))[0];

const lockVerificationAndSubscribersOnce = compiledOnce((db: Db, { id, type }: Publishing) =>
  lockedVerification(db, id).select(subscribers('verifications', type)),
);

/** Active endpoints that an event of this type about this row goes to (specification 6.1). */
const subscribers = (about: 'requests' | 'verifications', type: SubscribableType) =>
  sql<string[]>`array(
    select id from webhook_endpoints as endpoint
    where endpoint.org_id = ${sql.table(about)}.org_id and endpoint.active
      and endpoint.environment in ('all', ${sql.table(about)}.environment)
      and ${type} = any(endpoint.event_types))`.as('subscribers');

/** Locks the delivery only: many deliveries go to one endpoint at once. */
export const lockDelivery = (db: Db, id: string) =>
  db
    .selectFrom('deliveries')
    .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'deliveries.endpointId')
    .selectAll('deliveries')
    .select(['webhook_endpoints.active', transactionTime])
    .where('deliveries.id', '=', id)
    .forUpdate('deliveries')
    .executeTakeFirst();

/** Where a delivery goes; neither ever changes. */
export const findWhereto = async (db: Db, deliveryId: string) =>
  (await findWheretoOnce(db, { deliveryId }))[0];

const findWheretoOnce = compiledOnce((db: Db, { deliveryId }: { deliveryId: string }) =>
  db.selectFrom('deliveries').select(['orgId', 'endpointId']).where('id', '=', deliveryId),
);

/** Says when an open delivery is due, so that the sweep does not take one that waits for its turn to be lost. */
export async function postponeDelivery(db: Db, id: string, waitMs: number) {
  const open = await db
    .updateTable('deliveries')
    .set({ nextAttemptAt: sql<Date>`now() + make_interval(secs => ${waitMs / 1_000}::float8)` })
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'retrying'])
    .returning('status')
    .executeTakeFirst();
  return open?.status;
}

/** Active endpoints whose attempts have all failed since before this moment. */
export const findFailingEndpoints = (db: Db, failingBefore: Date) =>
  db
    .selectFrom('webhook_endpoints')
    .select(['id', 'orgId', 'failingSince', 'consecutiveFailures', 'lastSuccessAt'])
    .where('active', '=', true)
    .where('failingSince', '<', failingBefore)
    .$narrowType<{ failingSince: NotNull }>()
    .execute();

/** Deliveries that should have moved on by now: their workflow is lost, or was never started (decision 36). */
export const findOverdueDeliveries = (
  db: Db,
  { after, dueBefore, limit }: { after: { at: Date; id: string }; dueBefore: Date; limit: number },
) =>
  db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .select([
      'deliveries.id',
      'deliveries.orgId',
      'deliveries.environment',
      'deliveries.trigger',
      'deliveries.nextAttemptAt',
      'events.verificationId',
    ])
    .where('deliveries.status', 'in', ['pending', 'retrying'])
    .where((eb) =>
      eb.or([
        eb('deliveries.nextAttemptAt', '>', after.at),
        eb.and([eb('deliveries.nextAttemptAt', '=', after.at), eb('deliveries.id', '>', after.id)]),
      ]),
    )
    .where('deliveries.nextAttemptAt', '<', dueBefore)
    .orderBy('deliveries.nextAttemptAt')
    .orderBy('deliveries.id')
    .limit(limit)
    .execute();

/** Flows that a person finished and that have no verdict yet, in the order in which they were handed in (decision 36). */
export const findUnsettledSubmissions = (
  db: Db,
  {
    after,
    submittedBefore,
    limit,
  }: { after: { at: Date; id: string }; submittedBefore: Date; limit: number },
) =>
  db
    .selectFrom('verifications')
    .select(['id', 'orgId', 'environment', 'method', 'scenario', 'submittedAt'])
    .where('status', '<>', 'completed')
    .where((eb) => eb(eb.refTuple('submittedAt', 'id'), '>', eb.tuple(after.at, after.id)))
    .where('submittedAt', '<', submittedBefore)
    .$narrowType<{ submittedAt: NotNull }>()
    .orderBy('submittedAt')
    .orderBy('id')
    .limit(limit)
    .execute();

/** How many of these there are in all. */
export const countOpenSubmissions = async (db: Db): Promise<number> => {
  const { open } = await db
    .selectFrom('verifications')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('open'))
    .where('submittedAt', 'is not', null)
    .where('status', '<>', 'completed')
    .executeTakeFirstOrThrow();
  return open;
};

type OpenDeliveries = { waiting: number; due: number; overdue: number; oldestDueSeconds: number };

/** How many deliveries are open, by how they stand to their time, and for how many seconds the first of them has been due. */
export const openDeliveries = async (db: Db, overdueBefore: Date): Promise<OpenDeliveries> => {
  const { rows } = await sql<OpenDeliveries>`
    select count(*) filter (where next_attempt_at > now())::int as "waiting",
      count(*) filter (where next_attempt_at <= now() and next_attempt_at >= ${overdueBefore})::int as "due",
      count(*) filter (where next_attempt_at <= now() and next_attempt_at < ${overdueBefore})::int as "overdue",
      coalesce(greatest(extract(epoch from now() - min(next_attempt_at)), 0), 0)::float8 as "oldestDueSeconds"
    from deliveries where status in ('pending', 'retrying')`.execute(db);
  return rows[0] as OpenDeliveries;
};

/** Which of these verifications have a row. */
export const knownVerifications = async (db: Db, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await db.selectFrom('verifications').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
};

/** Claims that were never answered: only their callers can say whether they still want them (decision 21). */
export const countOpenClaims = async (db: Db, claimedBefore: Date): Promise<number> => {
  const { open } = await db
    .selectFrom('requests')
    .select((eb) => eb.fn.countAll<string>().as('open'))
    .where('status', '=', 'claimed')
    .where('createdAt', '<', claimedBefore)
    .executeTakeFirstOrThrow();
  return Number(open);
};

/** Completed verifications without their event: a transaction writes both, so there are none unless somebody edited rows. */
export const countCompletedWithoutEvent = async (db: Db): Promise<number> => {
  const { lacking } = await db
    .selectFrom('verifications')
    .leftJoin('events', 'events.verificationId', 'verifications.id')
    .select((eb) => eb.fn.countAll<string>().as('lacking'))
    .where('verifications.status', '=', 'completed')
    .where('events.id', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(lacking);
};

/** A part of the ledger in the order of its chains, after the given line. */
export const ledgerAfter = (db: Db, after: { subjectId: string; sequence: number }, limit: number) =>
  db
    .selectFrom('ledger')
    .select(['subjectId', 'sequence', 'type', 'data', 'previousHash', 'hash', 'createdAt'])
    .where((eb) =>
      eb.or([
        eb('subjectId', '>', after.subjectId),
        eb.and([eb('subjectId', '=', after.subjectId), eb('sequence', '>', after.sequence)]),
      ]),
    )
    .orderBy('subjectId')
    .orderBy('sequence')
    .limit(limit)
    .execute();
