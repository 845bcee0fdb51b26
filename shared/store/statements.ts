import { type CompiledQuery, type OperationNodeSource, sql } from 'kysely';
import type { Db } from './connection.ts';
import { keep } from './kept-statements.ts';

/** The clock of the running transaction: what is written in it happened then (decision 37). */
export const transactionTime = sql<Date>`now()`.as('now');

/** A write that is built and not yet carried out. */
export type Write = OperationNodeSource;

/**
 * Several writes as one statement: one way to the database and back. None of them sees what another writes. Connections keep
 * the statement, so its text must not depend on values, nor on how many there are.
 */
export async function writeAtOnce(tx: Db, writes: readonly Write[]): Promise<void> {
  const named = writes.map((write, i) => sql`${sql.ref(`write_${i}`)} as (${write})`);
  const statement = sql`with ${sql.join(named)} select 1`.compile(tx);
  keep(statement.sql);
  await tx.executeQuery(statement);
}

/**
 * A query of the fast path: built and compiled once, and kept by each connection (docs/choices/fast-path.md). `build` gets
 * placeholders instead of values, so what it builds must not depend on them.
 */
export function compiledOnce<Values extends Record<string, unknown>, Row>(
  build: (db: Db, values: Values) => { compile(): CompiledQuery<Row> },
): (db: Db, values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, values) => {
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

/** Stands in a compiled query for a value of this name. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });
