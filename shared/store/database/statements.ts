import { setImmediate as endOfTurn } from 'node:timers/promises';
import { type AliasableExpression, type CompiledQuery, type OperationNodeSource, sql } from 'kysely';
import type { Db } from './connection.ts';
import { keep } from './kept-statements.ts';

/** The start of the current transaction. The writes of the transaction use this time as their date (decision 37). */
export const transactionTime = sql<Date>`now()`.as('now');

/** True for a row that the current transaction has written. */
export const isOfThisTransaction = (table: string) =>
  sql<boolean>`${sql.ref(`${table}.xmin`)} = pg_current_xact_id()::xid`;

/** Returns the start of the current transaction. */
export const timeOf = async (tx: Db): Promise<Date> =>
  (await tx.selectNoFrom(transactionTime).executeTakeFirstOrThrow()).now;

/** A count of open rows ends here. Metrics are read often, and nobody acts differently on a larger number. */
export const countedUpTo = 100_000;

/** Counts the rows of a query, which is bounded by a limit of its own. */
export async function countRows(db: Db, rows: AliasableExpression<unknown>): Promise<number> {
  const { count } = await db
    .selectFrom(rows.as('counted'))
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Open work. `oldestSeconds` is for how long the oldest of it has waited; 0 if there is none. */
export type Open = { open: number; oldestSeconds: number };

/**
 * Counts the rows of a query, and tells for how long the oldest has waited since its time `since`. The query is bounded by a limit of its
 * own, and begins with the oldest.
 */
export const countOpen = (db: Db, rows: AliasableExpression<{ since: Date | null }>): Promise<Open> =>
  db
    .selectFrom(rows.as('counted'))
    .select((eb) => [
      eb.cast<number>(eb.fn.countAll(), 'integer').as('open'),
      sql<number>`greatest(coalesce(extract(epoch from now() - min(since)), 0), 0)::float8`.as(
        'oldestSeconds',
      ),
    ])
    .executeTakeFirstOrThrow();

/** A write that is built but not executed. */
export type Write = OperationNodeSource;

/**
 * Executes several writes as one statement, in one round trip. No write sees the effect of another write. Connections keep the
 * plan of the statement, so its text must not depend on values or on the number of values.
 */
export async function writeAtOnce(tx: Db, writes: readonly Write[]): Promise<void> {
  const named = writes.map((write, i) => sql`${sql.ref(`write_${i}`)} as (${write})`);
  const statement = sql`with ${sql.join(named)} select 1`.compile(tx);
  keep(statement.sql);
  await tx.executeQuery(statement);
}

/**
 * A query that is built and compiled once, and whose plan each connection keeps (docs/choices/fast-path.md). `build` gets
 * placeholders instead of values, so the query must not depend on the values.
 */
export function compiledOnce<Values extends Record<string, unknown>, Row>(
  build: (db: Db, values: Values) => { compile(): CompiledQuery<Row> },
): (db: Db, values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    // The queries of one turn of the event loop are sent together, which wakes Postgres once for all of them.
    await endOfTurn();
    compiled ??= compile(build(db, placeholders as Values));
    const parameters = compiled.parameters.map((each) =>
      each instanceof Placeholder ? values[each.name] : each,
    );
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}

function compile<Row>(query: { compile(): CompiledQuery<Row> }): CompiledQuery<Row> {
  const compiled = query.compile();
  keep(compiled.sql);
  return compiled;
}

/** Marks the position of a named value in a compiled query. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });
