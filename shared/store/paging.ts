import { type Expression, sql } from 'kysely';

/** In a list of this table, the newest first: comes after the row that `cursor` finds (decision 19). */
export const comesAfter = (table: string, cursor: Expression<Cursor>) =>
  sql<boolean>`(${sql.ref(`${table}.createdAt`)}, ${sql.ref(`${table}.id`)}) < ${cursor}`;

type Cursor = { createdAt: Date; id: string };
