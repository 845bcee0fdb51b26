import { type RawBuilder, sql } from 'kysely';

/**
 * True for a row that follows the row `id` in a list of this table, newest first (decision 19). That row must have the values of
 * `owner`, and be one that `isListed`. The limit makes Postgres search that row by its id alone: an index that begins with the owner can seem cheaper, although
 * it is read for all rows of the owner.
 */
export const comesAfter = (
  table: string,
  id: string,
  owner: Record<string, unknown>,
  isListed: RawBuilder<unknown> = sql`true`,
) => {
  const columns = ['createdAt', 'id', ...Object.keys(owner)].map((name) => sql.ref(name));
  const isOwned = Object.entries(owner).map(([name, value]) => sql`${sql.ref(`place.${name}`)} = ${value}`);
  return sql<boolean>`(${sql.ref(`${table}.createdAt`)}, ${sql.ref(`${table}.id`)}) < (
    select place.created_at, place.id
    from (select ${sql.join(columns)} from ${sql.table(table)} where id = ${id} and ${isListed} limit 1) as place
    where ${sql.join(isOwned, sql` and `)})`;
};

/** The values of a primary key, in the order of its columns. */
export type RowKey = readonly (string | number)[];
