import { sql } from 'kysely';
import type { Environment, Grant } from '#contract/enums.ts';
import type { Db, Store } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';
import { countRows, transactionTime } from '../database/statements.ts';
import { newestLine } from '../ledger.ts';

/** Searches the keys of all organisations, because the caller is not authenticated yet. */
export const findKeyByHash = (db: Db, hash: Buffer) =>
  db
    .selectFrom('api_keys')
    .innerJoin('organisations', 'organisations.id', 'api_keys.orgId')
    .select(['api_keys.id', 'orgId', 'environment', 'grants', 'rateLimit', 'expiresAt', 'revokedAt'])
    .select('organisations.paused as isPaused')
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

const listed = ({ orgId }: Pick<OrgScope, 'orgId'>, db: Db) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'environment', 'name', 'display', 'grants', 'rateLimit', 'createdAt', 'expiresAt'])
    .select(['revokedAt', 'replacedBy', 'lastUsedAt'])
    .where('orgId', '=', orgId);

const works = sql<boolean>`revoked_at is null and (expires_at is null or expires_at > now())`;

/** The keys of one organisation: those that work first, then the newest first. */
export const keysOfOrganisation = (scope: OrgScope, db: Db, limit: number) =>
  listed(scope, db)
    .orderBy(works, 'desc')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

export const keyOfOrganisation = (scope: OrgScope, db: Db, id: string) =>
  listed(scope, db).where('id', '=', id).executeTakeFirst();

/** Counts the keys of one organisation that work, up to `upTo`. */
export const countWorkingKeys = ({ orgId }: OrgScope, db: Db, upTo: number): Promise<number> =>
  countRows(db, db.selectFrom('api_keys').select('id').where('orgId', '=', orgId).where(works).limit(upTo));

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

/** Builds the write of a new key. */
export const insertKey = (tx: Db, row: NewKeyRow) => tx.insertInto('api_keys').values(row);

/** The organisation and the environment of any key. */
export const ownerOfKey = (db: Db, id: string) =>
  db.selectFrom('api_keys').select(['orgId', 'environment']).where('id', '=', id).executeTakeFirst();

/** Locks a key of the organisation, so that two concurrent rotations cannot both create a successor. */
export const lockKey = ({ orgId }: OrgScope, tx: Db, id: string) =>
  tx
    .selectFrom('api_keys')
    .select(['id', 'environment', 'name', 'grants', 'rateLimit'])
    .select(['expiresAt', 'revokedAt', 'replacedBy', transactionTime])
    .where('id', '=', id)
    .where('orgId', '=', orgId)
    .forUpdate()
    .executeTakeFirst();

/** Builds the write that names the successor of a key. */
export const replaceKey = (tx: Db, id: string, change: { replacedBy: string; expiresAt: Date }) =>
  tx.updateTable('api_keys').set(change).where('id', '=', id);

/** Builds the write that revokes a key. */
export const markRevoked = (tx: Db, id: string) =>
  tx.updateTable('api_keys').set({ revokedAt: sql<Date>`now()` }).where('id', '=', id);

/** Returns keys in the order of their ids, each with the last line of its chain. */
export const keysWithHistory = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'revokedAt', 'replacedBy'])
    .select(newestLine('api_keys.id'))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
