import pg from 'pg';
import { vi } from 'vitest';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { smallTables } from './fill.ts';

/** A statement as the driver received it. A kept statement is one whose plan a connection keeps for any values. */
export type Statement = { text: string; values: readonly unknown[]; kept: boolean };

const control = /^(begin|commit|rollback|savepoint|release|start|set|show)\b/i;

/**
 * Records the statements of all connections that are opened from now on. Returns a function that returns the statements of some
 * work.
 */
export function recordStatements(): (work: () => Promise<unknown>) => Promise<Statement[]> {
  let recorded: Statement[] | undefined;
  const query = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args) {
    const [asked, values = []] = args as unknown as [string | { name: string; text: string }, unknown[]?];
    const text = typeof asked === 'string' ? asked : asked.text;
    if (typeof text === 'string' && !control.test(text))
      recorded?.push({ text, values, kept: typeof asked !== 'string' });
    return Reflect.apply(query, this, args);
  });
  atTheEnd(() => spy.mockRestore());
  return async (work) => {
    const statements: Statement[] = [];
    recorded = statements;
    await work();
    recorded = undefined;
    return statements;
  };
}

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Rows Removed by Join Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Node[];
};

/** Says what makes a statement too slow on large tables. It is executed, and what it writes is rolled back. */
export const faultsOf = async (url: string, statement: Statement): Promise<string[]> =>
  (await plansOf(url, statement)).flatMap(faultsIn);

/** A kept statement also has the plan that does not know the values. */
async function plansOf(url: string, { text, values, kept }: Statement): Promise<Node[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const plans: Node[] = [];
    for (const mode of kept ? ['force_custom_plan', 'force_generic_plan'] : ['force_custom_plan']) {
      await client.query(`begin; set local plan_cache_mode = ${mode}; prepare explained as ${text}`);
      const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
      const explain = `explain (analyze, buffers, format json) execute explained${given}`;
      // The first time, a connection also reads the catalogue: about twenty blocks for each index of a table that is written.
      await client.query(`savepoint cold; ${explain}`);
      await client.query('rollback to savepoint cold');
      const { rows } = await client.query(explain);
      plans.push(rows[0]['QUERY PLAN'][0].Plan);
      await client.query('rollback; deallocate explained');
    }
    return plans;
  } finally {
    await client.end();
  }
}

/** Values become text as in the driver, so that Postgres finds the same types. */
function literal(value: unknown): string {
  return value === null || value === undefined ? 'null' : pg.escapeLiteral(String(pgValue(value)));
}

function pgValue(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (Array.isArray(value)) return `{${value.map((each) => JSON.stringify(pgValue(each))).join(',')}}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const isSmall = ({ 'Relation Name': name = '' }: Node) => name in smallTables;
const isLarge = (node: Node) => node['Relation Name'] !== undefined && !isSmall(node);
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
const timesLoops = (node: Node, rows = 0) => rows * node['Actual Loops'];

const thrownAway = (node: Node) =>
  timesLoops(node, node['Rows Removed by Filter']) +
  timesLoops(node, node['Rows Removed by Index Recheck']) +
  timesLoops(node, node['Rows Removed by Join Filter']);

const isScan = ({ 'Node Type': type }: Node) => type.endsWith('Scan') && type !== 'Bitmap Index Scan';

const thrownAwayMax = 100;
export const readMax = 1_500;
/** An index whose order does not fit the condition is read in large parts, even if it leads to few rows. */
const blocksMax = (rows: number, searches: number) => 250 + 5 * (rows + searches);

function faultsIn(plan: Node): string[] {
  const nodes = nodesOf(plan);
  // The table of a day to come is empty, and Postgres looks into it without an index.
  const sequential = nodes.filter(
    (node) => node['Node Type'] === 'Seq Scan' && isLarge(node) && node['Actual Rows'] + thrownAway(node) > 0,
  );
  const wasteful = nodes.filter((node) => thrownAway(node) > thrownAwayMax && !isSmall(node));
  const scans = nodes.filter((node) => isScan(node) && isLarge(node));
  const searches = scans.reduce((sum, node) => sum + node['Actual Loops'], 0);
  const read = scans.reduce((sum, node) => sum + timesLoops(node, node['Actual Rows']) + thrownAway(node), 0);
  const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  return [
    ...sequential.map((node) => `reads all of ${node['Relation Name']}`),
    ...wasteful.map(
      (node) =>
        `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name'] ?? ''} throws ${thrownAway(node)} rows away`,
    ),
    ...(read > readMax ? [`reads ${read} rows`] : []),
    ...(blocks > blocksMax(read, searches) ? [`reads ${blocks} blocks for ${read} rows`] : []),
  ];
}
