import pg from 'pg';
import { expect, onTestFinished, vi } from 'vitest';
import type { Harness } from '../harness.ts';

type Table = 'api_keys' | 'members' | 'organisations' | 'verifications';

/** Locks the row until `release` is called, at the latest until the test ends. Rows that refer to this row can still be inserted. */
export async function holdRow({ databaseUrl }: Harness, table: Table, id: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin');
  await client.query(`select from ${table} where id = $1 for no key update`, [id]);
  return { release: () => client.query('commit') };
}

/** Lets nobody write a line of the ledger until `release`. So a step that was asked for waits where it is recorded. */
export const holdLedger = (harness: Harness) => holdWrites(harness, 'ledger');

async function holdWrites({ databaseUrl }: Harness, table: 'ledger' | 'evidence') {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin');
  await client.query(`lock table ${table} in share mode`);
  return { release: () => client.query('commit') };
}

/** Counts the statements on this database that wait for a lock. */
export async function waitingForLocks(harness: Harness): Promise<number | undefined> {
  const rows = await harness.rows<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return rows[0]?.count;
}

/** The first step of a run takes the row of its verification once, and would wait for it beside the calls of a test. */
const untilRunsBegan = (harness: Harness) =>
  vi.waitFor(
    async () =>
      expect(await harness.rows`select id from verifications where run_due_since is not null`).toEqual([]),
    30_000,
  );

/**
 * Runs two calls that change the same verification. The first takes its row and stops before it writes to `table`. The second comes
 * meanwhile, and waits for the row.
 */
export async function inOrder<First, Second>(
  harness: Harness,
  first: () => Promise<First>,
  second: () => Promise<Second>,
  table: 'ledger' | 'evidence' = 'ledger',
): Promise<[First, Second]> {
  await untilRunsBegan(harness);
  return inLine(harness, await holdWrites(harness, table), first, second);
}

/** Lets two calls wait for what is held, the second behind the first, and releases it. */
export async function inLine<First, Second>(
  harness: Harness,
  held: { release(): Promise<unknown> },
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  const waiting = (count: number) =>
    vi.waitFor(async () => expect(await waitingForLocks(harness)).toBe(count), 30_000);
  const begun = first();
  await waiting(1);
  const late = second();
  await waiting(2);
  await held.release();
  return Promise.all([begun, late]);
}

/** Lets nobody read or write the table until `release`, so a question about it is not answered in time. */
export async function holdTable({ databaseUrl }: Harness, table: 'deliveries' | 'requests') {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin');
  await client.query(`lock table ${table} in access exclusive mode`);
  return { release: () => client.query('commit') };
}
