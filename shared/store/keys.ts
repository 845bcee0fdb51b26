import { sql } from 'kysely';
import type { Environment, Grant } from '#contract/enums.ts';
import type { Db, Store } from './connection.ts';
import { transactionTime } from './statements.ts';

/** Searches the keys of all organisations, because the caller is not authenticated yet. */
export const findKeyByHash = (db: Db, hash: Buffer) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'orgId', 'environment', 'grants', 'rateLimit', 'expiresAt', 'revokedAt'])
    .where('hash', '=', hash)
    .executeTakeFirst();

/** For the operator only, because the list can cover all organisations. */
export const listKeys = ({ db }: Store, organisation?: string) =>
  db
    .selectFrom('api_keys')
    .innerJoin('organisations', 'organisations.id', 'api_keys.orgId')
    .select([
      'api_keys.id',
      'api_keys.orgId',
      'api_keys.environment',
      'api_keys.name',
      'api_keys.display',
      'api_keys.grants',
      'api_keys.rateLimit',
      'api_keys.createdAt',
      'api_keys.expiresAt',
      'api_keys.revokedAt',
      'api_keys.replacedBy',
      'api_keys.lastUsedAt',
      'organisations.name as organisation',
      transactionTime,
    ])
    .$if(organisation !== undefined, (query) => query.where('organisations.name', '=', organisation ?? ''))
    .orderBy('api_keys.createdAt')
    .execute();

/** Returns false if no key has this id, or if the key was already revoked. */
export async function revokeKey({ db }: Store, id: string): Promise<boolean> {
  const revoked = await db
    .updateTable('api_keys')
    .set({ revokedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return revoked !== undefined;
}

type NewKeyRow = {
  id: string;
  orgId: string;
  environment: Environment;
  name: string | null;
  display: string;
  hash: Buffer;
  grants: Grant[];
  rateLimit: number | null;
  expiresAt: Date | null;
};

export const insertKey = (tx: Db, row: NewKeyRow) => tx.insertInto('api_keys').values(row).execute();

/** Locks the key, so that two concurrent rotations cannot both create a successor. */
export const lockKey = (tx: Db, id: string) =>
  tx
    .selectFrom('api_keys')
    .select(['id', 'orgId', 'environment', 'name', 'grants', 'rateLimit'])
    .select(['expiresAt', 'revokedAt', 'replacedBy', transactionTime])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

export const replaceKey = (tx: Db, id: string, change: { replacedBy: string; expiresAt: Date }) =>
  tx.updateTable('api_keys').set(change).where('id', '=', id).execute();
