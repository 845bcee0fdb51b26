import pg from 'pg';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { awaitLines, linesOf } from './support.ts';

const harness = await startHarness({ worker: false });

/** Locks the table. No other connection can read or write it until the lock is released. */
async function lockRequestLog() {
  const client = new pg.Client({ connectionString: harness.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin; lock table request_log in access exclusive mode');
  return { release: () => client.query('rollback') };
}

/** The start time of the flush that waits for the lock. Undefined if none waits. */
async function waitingSince(): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: harness.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(`
      select query_start::text as since from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into request_log%'`);
    return rows[0]?.since;
  } finally {
    await client.end();
  }
}

test('while the table is locked requests are answered, and every line is written afterwards, once', async () => {
  const { id, key } = await harness.key();
  const lock = await lockRequestLog();
  const requestIds: unknown[] = [];
  const ask = async () => {
    const { status, headers } = await call(harness, 'GET', '/v1/verifications', { key });
    expect(status).toBe(200);
    requestIds.push(headers['x-request-id']);
  };

  // A flush that waits before a request, and still waits after its answer, did not delay the request. A second waiting flush shows
  // that `lock_timeout` ended the first flush.
  const sawWaiting = new Set<string>();
  for (const deadline = Date.now() + 30_000; sawWaiting.size < 2 && Date.now() < deadline; ) {
    const before = await waitingSince();
    await Promise.all([ask(), ask(), ask()]);
    if (before !== undefined && before === (await waitingSince())) sawWaiting.add(before);
  }
  expect(sawWaiting.size).toBe(2);

  await lock.release();
  const lines = await awaitLines(harness, id, requestIds.length);
  expect(lines.map(({ requestId }) => requestId).sort()).toEqual(requestIds.sort());
});

test('a stop writes the lines that wait', async () => {
  const { id, key } = await harness.key();
  const api = await harness.startApi();
  const { headers } = await call(api, 'GET', '/v1/verifications', { key });
  await api.stop();
  expect((await linesOf(harness, id)).map(({ requestId }) => requestId)).toEqual([headers['x-request-id']]);
});

test('a stop does not wait for a locked table for long, and the log tells how many lines were lost and no more', async () => {
  const { id, key } = await harness.key();
  const said: string[] = [];
  const sink = { write: (line: string) => void said.push(line) };
  const api = await harness.startApi({ log: pino({ level: 'warn' }, sink) });
  const lock = await lockRequestLog();
  const { headers } = await call(api, 'GET', '/v1/verifications', { key });
  const startedMs = performance.now();
  await api.stop();
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  await lock.release();
  expect(said).toHaveLength(1);
  expect(JSON.parse(said[0] ?? '')).toMatchObject({ lost: 1, msg: 'request log: lines were given up' });
  expect(said[0]).not.toContain(id);
  expect(said[0]).not.toContain(String(headers['x-request-id']));
});
