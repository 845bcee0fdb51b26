import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool, types } from 'pg';

/** Their values stay text, as in the product's store. */
const textual = new Set([types.builtins.DATE, types.builtins.TIMESTAMP, types.builtins.INTERVAL]);

/** A database for its superuser. Without entities it opens in a tenth of the time of a store. */
export function superuserOf(url: string) {
  const pool = new Pool({
    connectionString: url,
    max: 5,
    statement_timeout: 60_000,
    types: {
      getTypeParser: (type, format) =>
        textual.has(type) ? (text: string) => text : types.getTypeParser(type, format),
    },
  });
  // The server may end an idle connection. Without this listener, that would end the process.
  pool.on('error', () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  return { db, close: () => db.destroy() };
}

type Database = { db: Parameters<ReturnType<typeof sql>['execute']>[0] };

/**
 * A tag for one SQL statement that returns its rows. A value in the template is bound as a parameter. Kysely's `sql.ref` and
 * `sql.table` turn a value into a name.
 */
export const rowsIn =
  ({ db }: Database) =>
  async <Row = Record<string, unknown>>(
    statement: TemplateStringsArray,
    ...values: unknown[]
  ): Promise<Row[]> =>
    (await sql<Row>(statement, ...values).execute(db)).rows;

export type Rows = ReturnType<typeof rowsIn>;
