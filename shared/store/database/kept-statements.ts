/**
 * Each connection prepares these statements once, under a name, so that Postgres can keep their plans. Other statements are planned
 * at every execution (docs/choices/fast-path.md).
 */

const names = new Map<string, string>();

/**
 * Makes every connection keep the plan of this statement. The statement must name its columns, because a kept plan with `*` fails
 * after a migration adds a column.
 */
export function keep(statement: string): void {
  if (/(select |"\.)\*/.test(statement)) throw new Error('a statement that is kept must name its columns');
  if (!names.has(statement)) names.set(statement, `kept_${names.size}`);
}

type Query = (text: unknown, values: unknown, ...rest: unknown[]) => unknown;

/** Adds the names to queries. The driver prepares a named statement once per connection, and Kysely cannot name a statement. */
export function keepStatements(client: { query: Query }): void {
  const query = client.query.bind(client);
  client.query = (text, values, ...rest) => {
    const name = typeof text === 'string' ? names.get(text) : undefined;
    return name === undefined ? query(text, values, ...rest) : query({ name, text }, values, ...rest);
  };
}
