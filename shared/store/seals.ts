import { sql } from 'kysely';
import type { Purpose } from '#platform/crypto.ts';
import type { Db } from './connection.ts';

/** A column of encrypted values. A value begins with the id (4 bytes) of the key that encrypted it. */
export type SealedColumn = {
  table: string;
  column: string;
  key: readonly [string, ...string[]];
  /** The number of values that are in memory at once. */
  batchSize: number;
};

/**
 * All encrypted columns, by purpose. The tokens of links are not stored. A verification stores only the id of the key for its
 * token.
 */
export const sealedColumns: Record<Exclude<Purpose, 'link-token'>, readonly SealedColumn[]> = {
  'webhook-secret': [
    { table: 'webhook_endpoints', column: 'secret', key: ['id'], batchSize: 500 },
    { table: 'webhook_endpoints', column: 'previous_secret', key: ['id'], batchSize: 500 },
  ],
  'stored-answer': [{ table: 'requests', column: 'answer', key: ['id'], batchSize: 500 }],
  'ledger-personal': [
    { table: 'ledger', column: 'personal', key: ['subject_id', 'sequence'], batchSize: 500 },
  ],
  evidence: [{ table: 'evidence', column: 'picture', key: ['verification_id', 'kind'], batchSize: 10 }],
};

export type SealedRow = { key: (string | number)[]; value: Buffer };

const keyIdIn = (column: string) => sql`encode(substring(${sql.ref(column)} from 1 for 4), 'hex')`;
const rowKey = (key: readonly string[]) => sql`(${sql.join(key.map((name) => sql.ref(name)))})`;

/** Counts the values of a column by the id of the key that encrypted them. */
export async function countSeals(db: Db, { table, column }: SealedColumn): Promise<Map<string, number>> {
  const { rows } = await sql<{ key_id: string; count: number }>`
    select ${keyIdIn(column)} as key_id, count(*)::int as count from ${sql.table(table)}
    where ${sql.ref(column)} is not null group by 1`.execute(db);
  return new Map(rows.map(({ key_id, count }) => [key_id, count]));
}

/** Returns the values after `after` that were encrypted with one of `keyIds`, in the order of their rows. */
export async function sealedWith(
  db: Db,
  { table, column, key }: SealedColumn,
  { keyIds, after, limit }: { keyIds: readonly string[]; after: SealedRow | undefined; limit: number },
): Promise<SealedRow[]> {
  const beyond = after === undefined ? sql`true` : sql`${rowKey(key)} > (${sql.join(after.key)})`;
  const { rows } = await sql<{ value: Buffer; [column: string]: unknown }>`
    select ${sql.join(key.map((name) => sql.ref(name)))}, ${sql.ref(column)} as value from ${sql.table(table)}
    where ${keyIdIn(column)} in (${sql.join(keyIds)}) and ${beyond}
    order by ${rowKey(key)} limit ${limit}`.execute(db);
  return rows.map((row) => ({ key: key.map((name) => row[name] as string | number), value: row.value }));
}

/** Replaces the value of `row`. Returns false if the value was changed in the meantime. */
export async function replaceSealed(
  db: Db,
  { table, column, key }: SealedColumn,
  { row, value }: { row: SealedRow; value: Buffer },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${value}
    where ${rowKey(key)} = (${sql.join(row.key)}) and ${sql.ref(column)} = ${row.value}`.execute(db);
  return numAffectedRows === 1n;
}

export type LinksOfKey = { count: number; workUntil: Date };

/** Counts links by the id of their key. `workUntil` is the latest expiry of these links. */
export async function countLinks(db: Db): Promise<Map<string, LinksOfKey>> {
  const rows = await db
    .selectFrom('verifications')
    .select((eb) => [
      'linkKeyId',
      eb.cast<number>(eb.fn.countAll(), 'integer').as('count'),
      eb.fn.max('linkExpiresAt').as('workUntil'),
    ])
    .groupBy('linkKeyId')
    .execute();
  return new Map(rows.map(({ linkKeyId, ...links }) => [linkKeyId, links]));
}

/** Assigns this key to expired links of other keys. Returns the ids of their verifications in ascending order. */
export async function remakeExpiredLinks(
  db: Db,
  { keyId, after, limit }: { keyId: string; after: string; limit: number },
): Promise<string[]> {
  const remade = await db
    .with('batch', (cte) =>
      cte
        .selectFrom('verifications')
        .select('id')
        .where('id', '>', after)
        .where('linkKeyId', '<>', keyId)
        .where('linkExpiresAt', '<', sql<Date>`now()`)
        .orderBy('id')
        .limit(limit),
    )
    .updateTable('verifications')
    .from('batch')
    .set({ linkKeyId: keyId })
    .whereRef('verifications.id', '=', 'batch.id')
    .returning('verifications.id')
    .execute();
  return remade.map(({ id }) => id).sort();
}
