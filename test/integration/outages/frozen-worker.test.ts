import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { freeze, whyNoFreezing } from '#test/support/servers/freeze.ts';
import { type Stack, startStackWith } from './stack.ts';

let stack: Stack;
beforeAll(async () => {
  // Two workers of one stack cannot have the same port for their metrics.
  stack = await startStackWith({ METRICS_PORT: 'off' }, { status: 200 });
}, 120_000);
afterAll(() => stack.stop());

/** A transaction that another process left open, while it holds rows of verifications. */
const openTransactions = () => stack.rows<{ pid: number; since: Date }>`
  select activity.pid, xact_start as since from pg_stat_activity as activity
  where state = 'idle in transaction' and exists (
    select from pg_locks where pg_locks.pid = activity.pid and granted
      and relation = 'verifications'::regclass and mode = 'RowShareLock')`;

/** Every answer of the database comes late, so a transaction is idle for most of its time. */
async function freezeInTransaction(pid: number) {
  for (;;) {
    await expect.poll(openTransactions, { interval: 20 }).not.toEqual([]);
    const goOn = freeze(pid);
    const [found] = await openTransactions();
    await pause(1_000);
    const [still] = await openTransactions();
    // Otherwise it ended just before the process was stopped, and the next one is tried.
    if (found !== undefined && found.pid === still?.pid && Number(found.since) === Number(still.since))
      return { goOn, frozenPid: found.pid };
    goOn();
  }
}

test('a worker that is frozen in the middle of a transaction holds its row for ten seconds at most, and another worker carries out what it began', async (ctx) => {
  if (whyNoFreezing !== undefined) return ctx.skip(whyNoFreezing);
  const { json } = await stack.post('/v1/verifications', { sandbox: { auto_complete: false } });
  const complete = () => stack.post(`/v1/verifications/${json.id}/complete`, {});
  // The run is in the cache of the first worker, so the first worker gets the command.
  const second = await stack.startWorker();
  stack.database.delayAnswers(600);
  const first = complete();
  const { goOn, frozenPid } = await freezeInTransaction(stack.worker.pid);
  stack.database.delayAnswers(0);
  try {
    const lockRow = () => stack.rows`select from verifications where id = ${json.id} for update nowait`;
    await expect(lockRow()).rejects.toMatchObject({ code: '55P03' });
    await expect.poll(() => lockRow().then(() => 'free'), { timeout: 10_000 }).toBe('free');
    expect(await stack.rows`select from pg_stat_activity where pid = ${frozenPid}`).toEqual([]);

    const again = async () => (await complete()).status;
    await expect.poll(again, { timeout: 60_000 }).not.toBe(503);
    expect((await stack.get(`/v1/verifications/${json.id}`)).json.status).toBe('completed');
    expect(await workerOfVerdict(json.id)).toBe(`${second.pid}@${hostname()}`);
  } finally {
    goOn();
  }
  await first;
  const verdicts = await stack.rows`
    select from ledger where subject_id = ${json.id} and type = 'verification.completed'`;
  expect(verdicts).toHaveLength(1);
  await expect.poll(() => stack.receiver.received.length).toBe(1);
});

/** The process whose workflow task ended the run. */
async function workerOfVerdict(id: string) {
  const connection = await Connection.connect({ address: stack.temporal.address });
  try {
    const handle = new Client({ connection }).workflow.getHandle(verificationWorkflowId(id));
    await expect.poll(async () => (await handle.describe()).status.name).toBe('COMPLETED');
    const { events } = await handle.fetchHistory();
    const last = events?.findLast(({ workflowTaskCompletedEventAttributes: task }) => task);
    return last?.workflowTaskCompletedEventAttributes?.identity;
  } finally {
    await connection.close();
  }
}
