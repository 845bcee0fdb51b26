import { type Expression, sql } from 'kysely';

/** True for a row that follows the row of `cursor` in a list of this table, newest first (decision 19). */
export const comesAfter = (table: string, cursor: Expression<Cursor>) =>
  sql<boolean>`(${sql.ref(`${table}.createdAt`)}, ${sql.ref(`${table}.id`)}) < ${cursor}`;

type Cursor = { createdAt: Date; id: string };
