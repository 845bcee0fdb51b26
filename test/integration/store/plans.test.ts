import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '#store/database/connection.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { rowsIn } from '#test/support/rows/rows.ts';
import { createDatabase, queryAt } from '#test/support/servers/database.ts';
import { type At, calls, partsOfOthers } from './plans/calls.ts';
import { faultsOf, readMax, recordStatements } from './plans/explain.ts';
import { fillTables, smallTables } from './plans/fill.ts';

/**
 * Calls every query of the store on tables with tens of thousands of rows, and lets Postgres explain the statements that the driver
 * has sent.
 */

const statementsDuring = recordStatements();
const { url } = await createDatabase({ migrated: true });
const filling = await openStore(url, 1, { statementTimeoutMs: 120_000 });
const filled = await fillTables(rowsIn(filling)).finally(filling.close);
const store = await openStore(url, 1, { statementTimeoutMs: 60_000 });
atTheEnd(store.close);

const undo = new Error('nothing of this is kept');

/** Calls the function in a transaction that is rolled back. */
const callOnce = (call: (at: At) => Promise<unknown>) =>
  store
    .transaction(async (tx) => {
      await call({ ...filled, db: tx, store: { ...store, db: tx, transaction: (work) => work(tx) } });
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });

/** These functions read the catalogue of Postgres, and no table of the product. */
const ofCatalogue = /^select (make|drop)_request_log_days\(/;

test('every table has rows, and more than a statement may read unless it stays small', async () => {
  const tables = await queryAt(
    url,
    `select relname::text as name from pg_class
     where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`,
  );
  const names = tables.map(({ name }) => String(name));
  expect(names.length).toBeGreaterThan(30);
  const counted = await Promise.all(
    names.map(async (name) => {
      const [row] = await queryAt(url, `select count(*)::int as rows from ${name}`);
      return { name, rows: Number(row?.rows) };
    }),
  );
  const enough = (name: string) => (name in smallTables ? 1 : readMax + 1);
  expect(counted.filter(({ name, rows }) => !(rows >= enough(name)))).toEqual([]);
  expect(Object.keys(smallTables).filter((name) => !names.includes(name))).toEqual([]);
});

test.each(Object.entries(calls))('%s reads no more of a large table than it needs', async (_, given) => {
  for (const call of [given].flat()) {
    const statements = await statementsDuring(() => callOnce(call));
    expect(statements).not.toEqual([]);
    for (const statement of statements.filter(({ text }) => !ofCatalogue.test(text)))
      expect(await faultsOf(url, statement), statement.text).toEqual([]);
  }
});

/** Files without queries on the tables of the product. */
const machinery = [
  ...[
    'column-names',
    'connection',
    'database-clock',
    'kept-statements',
    'lines',
    'made-checks',
    'metrics',
    'migrate',
  ],
  ...['paging', 'roles', 'schema', 'scope', 'statements', 'tls'],
];

/** Returns the names of the queries in a module. A function whose name ends in `Of` returns an object of queries. */
function queriesIn(exported: Record<string, unknown>): string[] {
  const functionsIn = (object: object) =>
    Object.entries(object).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []));
  return Object.entries(exported).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null)
      return functionsIn(value).map((method) => `${name}.${method}`);
    if (typeof value !== 'function') return [];
    if (!name.endsWith('Of')) return [name];
    return functionsIn(value(filled, store.db, filled.endpointId)).map((method) => `${name}.${method}`);
  });
}

test('every query of the store is called above', async () => {
  const files = globSync(join(import.meta.dirname, '../../../shared/store/**/*.ts'), {
    exclude: ['**/{entities,migrations}'],
  });
  const modules = await Promise.all(
    files.filter((file) => !machinery.includes(basename(file, '.ts'))).map((file) => import(file)),
  );
  const explained = [...Object.keys(calls), ...partsOfOthers];
  expect(modules.flatMap(queriesIn).sort()).toEqual(explained.sort());
});

test.each([
  ['a condition without an index', `select from verifications where scenario = 'rejected'`, []],
  [
    'an index with many rows that a filter throws away',
    `select from deliveries where endpoint_id = $1 and waited_ms > 0 order by created_at desc limit 5`,
    [filled.endpointId],
  ],
  [
    'a page after a place that is compared by OR',
    `select from ledger where subject_id > $1 or (subject_id = $1 and sequence > $2)
     order by subject_id, sequence limit 50`,
    [filled.completed.id, 1],
  ],
  ['a count of many rows', `select count(*) from verifications where org_id = $1`, [filled.orgId]],
])('%s is found', async (_, text, values) => {
  expect(await faultsOf(url, { text, values, kept: false })).not.toEqual([]);
});
