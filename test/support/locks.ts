import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { Harness } from './harness.ts';

type Table = 'api_keys' | 'verifications';

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
export async function holdLedger({ databaseUrl }: Harness) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin');
  await client.query('lock table ledger in share mode');
  return { release: () => client.query('commit') };
}

/** Counts the statements on this database that wait for a lock. */
export async function waitingForLocks(harness: Harness): Promise<number | undefined> {
  const rows = await harness.rows<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return rows[0]?.count;
}
