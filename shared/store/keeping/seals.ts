import { sql } from 'kysely';
import type { Purpose } from '#platform/crypto/crypto.ts';
import type { Db } from '../database/connection.ts';
import type { RowKey } from '../database/paging.ts';
import { plainFingerprintBytes } from '../requests.ts';

/** A column of encrypted values. A value begins with the id (4 bytes) of the key that encrypted it. */
export type SealedColumn = {
  table: string;
  column: string;
  key: readonly [string, ...string[]];
  /** The number of values that are in memory at once. */
  batchSize: number;
  /** Values of exactly this length are not encrypted, because an earlier version stored them so. */
  plainBytes?: number;
};

/**
 * All encrypted columns, by purpose. The tokens of links are not stored. A verification stores only the id of the key for its
 * token. What Temporal stores is not in the database.
 */
export const sealedColumns: Record<
  Exclude<
    Purpose,
    'link-token' | 'temporal-payload' | 'console-form' | 'console-browser' | 'password-salt' | 'movements'
  >,
  readonly SealedColumn[]
> = {
  'webhook-secret': [
    { table: 'webhook_endpoints', column: 'secret', key: ['id'], batchSize: 500 },
    { table: 'webhook_endpoints', column: 'previous_secret', key: ['id'], batchSize: 500 },
  ],
  'stored-answer': [{ table: 'requests', column: 'answer', key: ['id'], batchSize: 500 }],
  'request-fingerprint': [
    {
      ...{ table: 'requests', column: 'fingerprint', key: ['id'], batchSize: 500 },
      plainBytes: plainFingerprintBytes,
    },
  ],
  'data-key': [{ table: 'data_keys', column: 'value', key: ['verification_id'], batchSize: 500 }],
  'ledger-personal': [
    { table: 'ledger_personal', column: 'value', key: ['subject_id', 'sequence'], batchSize: 500 },
  ],
  'command-personal': [
    { table: 'commands', column: 'personal', key: ['verification_id', 'request_id'], batchSize: 500 },
  ],
  'receiver-answer': [
    { table: 'delivery_attempts', column: 'answer', key: ['delivery_id', 'number'], batchSize: 500 },
  ],
  'attempt-heads': [
    { table: 'delivery_attempts', column: 'heads', key: ['delivery_id', 'number'], batchSize: 500 },
  ],
  evidence: [{ table: 'evidence', column: 'picture', key: ['verification_id', 'kind'], batchSize: 10 }],
  'eid-contract': [{ table: 'eid_contracts', column: 'value', key: ['org_id'], batchSize: 500 }],
  'totp-secret': [{ table: 'members', column: 'totp_secret', key: ['id'], batchSize: 500 }],
};

export type SealedRow = { key: RowKey; value: Buffer };

/** The key of SECRETS_KEY that encrypted the value of a row. Null if there is no value, or if a data key encrypted it. */
export type Seal = { key: RowKey; keyId: string | null };

const keyIdIn = ({ column, plainBytes = 0 }: SealedColumn) =>
  sql<string | null>`case when length(${sql.ref(column)}) not in (0, ${plainBytes})
    then nullif(encode(substring(${sql.ref(column)} from 1 for 4), 'hex'), '00000000') end`;
const rowKey = (key: readonly string[]) => sql.join(key.map((name) => sql.ref(name)));
const follows = (key: readonly string[], after: RowKey | undefined) =>
  after === undefined ? sql`true` : sql`(${rowKey(key)}) > (${sql.join(after)})`;
const keyOf = (key: readonly string[], row: Record<string, unknown>): RowKey =>
  key.map((name) => row[name] as string | number);

/** Returns the seals of at most `limit` rows that follow the row `after`, with or without a value, in the order of their rows. */
export async function sealsAfter(
  db: Db,
  sealed: SealedColumn,
  after: RowKey | undefined,
  limit: number,
): Promise<Seal[]> {
  const { table, key } = sealed;
  const { rows } = await sql<{ key_id: string | null; [column: string]: unknown }>`
    select ${rowKey(key)}, ${keyIdIn(sealed)} as key_id from ${sql.table(table)}
    where ${follows(key, after)} order by ${rowKey(key)} limit ${limit}`.execute(db);
  return rows.map((row) => ({ key: keyOf(key, row), keyId: row.key_id }));
}

type Wanted = { keyIds: readonly string[]; after: RowKey | undefined; upTo: RowKey; limit: number };

/** Returns the values after `after`, up to `upTo`, that were encrypted with one of `keyIds`, in the order of their rows. */
export async function sealedWith(
  db: Db,
  sealed: SealedColumn,
  { keyIds, after, upTo, limit }: Wanted,
): Promise<SealedRow[]> {
  const { table, column, key } = sealed;
  const { rows } = await sql<{ value: Buffer; [column: string]: unknown }>`
    select ${rowKey(key)}, ${sql.ref(column)} as value from ${sql.table(table)}
    where ${follows(key, after)} and (${rowKey(key)}) <= (${sql.join(upTo)}) and ${keyIdIn(sealed)} in (${sql.join(keyIds)})
    order by ${rowKey(key)} limit ${limit}`.execute(db);
  return rows.map((row) => ({ key: keyOf(key, row), value: row.value }));
}

/** A value, and the value that replaces it. */
export type Replacement = { row: SealedRow; value: Buffer };

const typesOfKeys: Record<string, string> = {
  sequence: 'int',
  number: 'int',
  kind: 'text',
  request_id: 'text',
};

/**
 * Replaces the values in one statement and returns their number. A value that was changed in the meantime stays as it is.
 */
export async function replaceSealed(
  db: Db,
  { table, column, key }: SealedColumn,
  replacements: readonly Replacement[],
): Promise<number> {
  const keys = key.map(
    (name, i) => sql`${replacements.map(({ row }) => row.key[i])}::${sql.raw(typesOfKeys[name] ?? 'uuid')}[]`,
  );
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} as stored set ${sql.ref(column)} = replaced.value
    from unnest(${sql.join(keys)}, ${replacements.map(({ row }) => row.value)}::bytea[],
      ${replacements.map(({ value }) => value)}::bytea[]) as replaced (${rowKey(key)}, was, value)
    where ${sql.join(
      key.map((name) => sql`stored.${sql.ref(name)} = replaced.${sql.ref(name)}`),
      sql` and `,
    )} and stored.${sql.ref(column)} = replaced.was`.execute(db);
  return Number(numAffectedRows);
}

/** Links in the order of their verifications. `keyId` is the key of the link. */
export const linksAfter = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('verifications')
    .select(['id', 'linkKeyId as keyId', 'linkExpiresAt as expiresAt'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();

/** Assigns this key to those of the links that have expired and have another key. Returns their number. */
export async function remakeExpiredLinks(db: Db, keyId: string, ids: readonly string[]): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('verifications')
    .set({ linkKeyId: keyId })
    .where('id', 'in', ids)
    .where('linkKeyId', '<>', keyId)
    .where('linkExpiresAt', '<', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
