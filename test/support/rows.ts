import { sql } from 'kysely';
import type { Store } from '#store/connection.ts';

/**
 * A tag for one SQL statement that returns its rows. A value in the template is bound as a parameter. Kysely's `sql.ref` and
 * `sql.table` turn a value into a name.
 */
export const rowsIn =
  ({ db }: Pick<Store, 'db'>) =>
  async <Row = Record<string, unknown>>(
    statement: TemplateStringsArray,
    ...values: unknown[]
  ): Promise<Row[]> =>
    (await sql<Row>(statement, ...values).execute(db)).rows;

export type Rows = ReturnType<typeof rowsIn>;
