/**
 * Statements that each connection plans once and keeps under a name, instead of planning them at every run:
 * docs/choices/fast-path.md.
 */

const names = new Map<string, string>();

/** From now on every connection keeps this statement. It must name its columns: a kept plan fails once `*` means more of them. */
export function keep(statement: string): void {
  if (/(select |"\.)\*/.test(statement)) throw new Error('a statement that is kept must name its columns');
  if (!names.has(statement)) names.set(statement, `kept_${names.size}`);
}

type Query = (text: unknown, values: unknown, ...rest: unknown[]) => unknown;

/** The driver keeps a statement that has a name, and Kysely cannot give it one. */
export function keepStatements(client: { query: Query }): void {
  const query = client.query.bind(client);
  client.query = (text, values, ...rest) => {
    const name = typeof text === 'string' ? names.get(text) : undefined;
    return name === undefined ? query(text, values, ...rest) : query({ name, text }, values, ...rest);
  };
}
