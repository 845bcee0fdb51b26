import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import type { Program } from '#test/support/program.ts';
import { type Stack, startStack } from './stack.ts';

/** How long the supervisor waits for each part before it kills it. */
const graceMs = { api: graceOf('api'), worker: graceOf('worker') };
const stackTrace = /\bat .+:\d+:\d+/;

// Each test has its own stack, so that a stopped process in one test does not affect another.
let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ status: 200, delayMs: 1_000 });
});
afterEach(() => stack.stop());

test('an API process that is told to stop answers every request under way, takes no new one, and exits with 0', async () => {
  stack.database.delayAnswers(100);
  const { keys, answers } = stack.createMany(20);
  // If a key is claimed, its request has arrived and is being processed.
  const claimed = async () =>
    (await stack.rows`select 1 from requests where idempotency_key in (${sql.join(keys)})`).length;
  await expect.poll(claimed, { timeout: 8_000, interval: 20 }).toBe(20);
  const exited = stopAsSupervised(stack.api, graceMs.api);
  await vi.waitFor(() => expect(takesConnection(stack.url)).rejects.toThrow('ECONNREFUSED'), {
    timeout: graceMs.api,
    interval: 20,
  });

  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(20).fill(201));
  expect(await exited).toBe(0);
  expect(stack.api.output()).not.toMatch(stackTrace);
  stack.database.delayAnswers(0);

  await stack.startApi();
  await stack.expectOneEach(keys);
});

test('a worker process that is told to stop finishes the deliveries under way, leaves the others to the next worker, and exits with 0', async () => {
  const before = stack.receiver.received.length;
  const { keys, answers } = stack.createMany(20);
  await stack.receiver.waitFor(before + 1);
  const exited = stopAsSupervised(stack.worker, graceMs.worker);
  const after = stack.createMany(5);
  expect(await exited).toBe(0);
  expect(stack.worker.output()).not.toMatch(stackTrace);

  await stack.startWorker();
  await Promise.all([...answers, ...after.answers]);
  await stack.expectOneEach([...keys, ...after.keys]);
  const outcomes = async () =>
    await stack.rows`select outcome, count(*)::int from delivery_attempts group by outcome`;
  await expect
    .poll(outcomes, { timeout: 5_000 })
    .toEqual([{ outcome: 'delivered', count: stack.receiver.received.length }]);
  expect(stack.receiver.received).toHaveLength(before + 25);
});

test('a worker process that is told to stop in the middle of a sweep exits with 0, and the next worker goes on', async () => {
  const lost = 120;
  await stack.rows`
    with made as (
      insert into events (id, org_id, environment, type, body)
      select 'evt_' || gen_random_uuid(), org_id, 'sandbox', 'verification.completed', '\\x7b7d'
      from webhook_endpoints, generate_series(1, ${lost}::int) returning id, org_id
    )
    insert into deliveries (id, org_id, environment, event_id, endpoint_id, attempts_allowed, next_attempt_at)
    select gen_random_uuid(), made.org_id, 'sandbox', made.id, webhook_endpoints.id, 6, now() - interval '1 hour'
    from made, webhook_endpoints`;
  const arrived = () => stack.receiver.received.length;
  // The sweep of the first worker, which ran at its start, is over. The next worker begins with a new one.
  stack.worker.signal('SIGTERM');
  expect(await stack.worker.exited).toBe(0);
  const second = await stack.startWorker();
  await expect.poll(arrived).toBeGreaterThan(0);
  expect(await stopAsSupervised(second, graceMs.worker)).toBe(0);
  expect(second.output()).not.toMatch(stackTrace);
  expect(arrived()).toBeLessThan(lost);

  await stack.startWorker();
  await expect.poll(arrived, { timeout: 90_000 }).toBe(lost);
  const outcomes = async () => await stack.rows`select status, count(*)::int from deliveries group by status`;
  await expect.poll(outcomes).toEqual([{ status: 'delivered', count: lost }]);
});

/** The time that docker-compose.yml gives a part, in milliseconds. */
function graceOf(part: 'api' | 'worker'): number {
  const { services } = parse(readFileSync(join(import.meta.dirname, '../../../docker-compose.yml'), 'utf8'), {
    merge: true,
  });
  const [, seconds] = /^(\d+)s$/.exec(services[part].stop_grace_period) ?? [];
  return Number(seconds) * 1_000;
}

/** Stops a program as a supervisor does: it is killed if it has not ended in time. Then it has no exit code. */
function stopAsSupervised(program: Program, ms: number): Promise<number | null> {
  program.signal('SIGTERM');
  const killing = setTimeout(() => program.signal('SIGKILL'), ms);
  return program.exited.finally(() => clearTimeout(killing));
}

/** Only opens a connection. A request could reach the process before the signal and would create an event. */
async function takesConnection(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}
