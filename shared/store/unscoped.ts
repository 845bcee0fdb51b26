import { type Db, transactionTime } from './orm.ts';

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
    .select(['id', 'linkVersion', 'linkKeyId', 'linkExpiresAt'])
    .where('id', '=', verificationId)
    .executeTakeFirst();

/** Locks the request, so that two runs of the same workflow cannot both carry it out. */
export const lockRequest = (db: Db, id: string) =>
  db
    .selectFrom('requests')
    .selectAll()
    .select(transactionTime)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

export type LockedRequest = NonNullable<Awaited<ReturnType<typeof lockRequest>>>;

export const lockVerification = (db: Db, id: string) =>
  db
    .selectFrom('verifications')
    .selectAll()
    .select(transactionTime)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

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

/** Deliveries that should have moved on by now: their workflow is lost, or was never started (decision 36). */
export const findOverdueDeliveries = (db: Db, dueBefore: Date, limit: number) =>
  db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .select([
      'deliveries.id',
      'deliveries.orgId',
      'deliveries.environment',
      'deliveries.trigger',
      'events.verificationId',
    ])
    .where('deliveries.status', 'in', ['pending', 'retrying'])
    .where('deliveries.nextAttemptAt', '<', dueBefore)
    .orderBy('deliveries.nextAttemptAt')
    .limit(limit)
    .execute();

export const ping = async (db: Db): Promise<void> => {
  await db.selectNoFrom((eb) => eb.lit(1).as('one')).execute();
};
