import { readdirSync, readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { type Pages, rules, startMonitor } from '#test/support/documents/alerts.ts';
import { type NetworkProxy, startProxy } from '#test/support/servers/proxy.ts';
import { wrongClock } from '#test/support/servers/wrong-clock.ts';
import { counted, has, startWatched, valueIn } from './alert-stack.ts';

/** Rules of alerts.yml that ring by work which waits, by a worker or by Temporal. Nothing rings while all is well, or while a query is slow. */

const env: NodeJS.ProcessEnv = {};
const release = Promise.withResolvers<void>();
const hanging = { status: 200, until: release.promise };
let line: NetworkProxy | undefined;
/** The product reaches Temporal through a line that the test can make slow, as it is with the database. */
const throughLine = async (temporalAddress: string) => {
  line = await startProxy(Number(temporalAddress.split(':').at(-1)));
  atTheEnd(async () => line?.stop());
  return Object.assign(env, { TEMPORAL_ADDRESS: `127.0.0.1:${line.port}` });
};
const watched = await startWatched(throughLine, { status: 200 }, hanging);
const { stack, pages, pagesWhen, quiet, ringing } = watched;
const connection = await Connection.connect({ address: stack.temporal.address });
const temporal = new Client({ connection });
atTheEnd(async () => {
  release.resolve();
  await connection.close();
});

test('no rule rings while all is well', () => expect(startMonitor().watch(quiet, 60)).toEqual([]));

test.each([...counted, 'process_clock_offset_seconds'])('no rule rings while %s is absent', (absent) => {
  const monitor = startMonitor();
  monitor.watch(quiet, 5);
  const without = Object.entries(quiet).map(([target, samples]) => [
    target,
    samples.filter(({ name }) => name !== absent),
  ]);
  expect(monitor.watch(Object.fromEntries(without), 60)).toEqual([]);
});

/** Longer than a query may take, and than the product waits for an answer that it can leave out. */
const lateMs = 4_000;
/** These say that requests and queries are slow or fail, which is so. */
const areSo = ['CreatesSlow', 'DatabaseSaturated', 'ErrorsOfOurs'];

test('no rule rings while every query of Postgres and Temporal is slow, except those that say so', async () => {
  const monitor = startMonitor();
  monitor.watch(quiet, 5);
  const rang = new Set<string>();
  const watch = (all: Pages, minutes: number) => {
    for (const alert of monitor.watch(all, minutes)) rang.add(alert);
  };
  const posts = (all: Pages) =>
    valueIn(all, 'http_server_request_duration_seconds_count', { http_request_method: 'POST' });
  const creates = async () => {
    const before = posts(await pages());
    const answers = Promise.all(stack.createMany(5).answers);
    watch(await pages(), 5);
    await answers;
    watch(await pagesWhen((all) => posts(all) >= before + 5), 5);
  };

  stack.database.delayAnswers(lateMs);
  line?.delayAnswers(lateMs);
  const isAbsent = (all: Pages) => has(all, 'target_info') && !counted.some((name) => has(all, name));
  await creates();
  const slow = await pagesWhen(isAbsent, async () => watch(await pages(), 1));
  watch(slow, 5);
  await creates();
  const last = await pages();
  expect(isAbsent(last)).toBe(true);
  // The longest wait of a rule is a day.
  watch(last, 25 * 60);
  stack.database.delayAnswers(0);
  line?.delayAnswers(0);
  expect([...rang].filter((alert) => !areSo.includes(alert))).toEqual([]);
  await watched.allCounted();
}, 300_000);

ringing('WorkflowTasksFail', 'a workflow whose task fails', async (monitor) => {
  const handle = await temporal.workflow.start('unknown', {
    ...{ workflowId: 'unknown', taskQueue: 'verifications' },
  });
  const failed = await pagesWhen((all) => valueIn(all, 'temporal_workflow_task_execution_failed_total') > 0);
  await handle.terminate();
  const rang = monitor.watch(failed, 1);
  expect(rang).toEqual(['WorkflowTasksFail']);
  return rang;
});

const withOffset = rules.filter(({ expr }) => / offset /.test(expr));

test.each([
  ['reaches no process', { api: [], worker: [] }],
  ['does not run', {}],
])('no rule with an offset rings after ten minutes in which Prometheus %s', async (_, gap: Pages) => {
  const failed = await pages();
  expect(has(failed, 'temporal_workflow_task_execution_failed_total')).toBe(true);
  expect(withOffset.map(({ alert }) => alert)).toEqual(['WorkflowTasksFail']);
  const monitor = startMonitor();
  monitor.watch(failed, 60);
  monitor.watch(gap, 10);
  const rang = monitor.watch(failed, 60);
  expect(withOffset.filter(({ alert }) => rang.includes(alert))).toEqual([]);
});

test('WorkflowTasksFail rings for the first failure of a worker that begins anew after a gap', async () => {
  const failed = await pages();
  const counter = 'temporal_workflow_task_execution_failed_total';
  const begun = (samples: Pages[string] = [], atSeconds = 0) =>
    samples.map((each) =>
      each.name === 'process_start_time_seconds' ? { ...each, value: atSeconds } : each,
    );
  const monitor = startMonitor();
  monitor.watch({ worker: (failed.worker ?? []).filter(({ name }) => name !== counter) }, 60);
  expect(monitor.watch({ worker: [] }, 60)).not.toContain('WorkflowTasksFail');
  const started = Date.now() / 1_000 + 120 * 60;
  expect(monitor.watch({ worker: begun(failed.worker, started) }, 1)).toContain('WorkflowTasksFail');
});

const opened = async (): Promise<string> =>
  (await stack.post('/v1/verifications', { sandbox: { auto_complete: false } })).json.id;

/** The pages when this age is over ten minutes, while a lock keeps everybody from the verification. */
const pagesWhileKept = (id: string, age: string) =>
  stack.store.transaction(async (tx) => {
    await sql`select from verifications where id = ${id} for update`.execute(tx);
    return pagesWhen(
      (all) => valueIn(all, age) > 600,
      () => sql`select 'keeps the lock'`.execute(tx),
    );
  });

ringing('SubmissionsOpen', 'somebody who waits for a verdict', async (monitor) => {
  const id = await opened();
  await stack.rows`update verifications set submitted_at = now() - interval '11 minutes' where id = ${id}`;
  return monitor.watch(await pagesWhileKept(id, 'flow_submissions_oldest_seconds'), 3);
});

ringing('VerificationsUnstarted', 'a verification that no run can take up', async (monitor) => {
  const id = await opened();
  await stack.rows`update verifications set run_due_since = now() - interval '11 minutes' where id = ${id}`;
  return monitor.watch(await pagesWhileKept(id, 'verification_workflows_unstarted_oldest_seconds'), 3);
});

ringing('DocumentsUnmasked', 'a verdict whose document nobody can mask', async (monitor) => {
  const { id } = (await stack.create()).json;
  await stack.rows`update verifications set completed_at = now() - interval '11 minutes' where id = ${id}`;
  await stack.rows`
    insert into evidence (verification_id, kind, org_id, environment, picture)
    select id, 'passport_page', org_id, environment, 'sealed'::bytea from verifications where id = ${id}`;
  const unmasked = await pagesWhileKept(id, 'flow_documents_unmasked_oldest_seconds');
  await stack.rows`delete from evidence where verification_id = ${id}`;
  return monitor.watch(unmasked, 3);
});

ringing('ClaimsOpen', 'callers who gave up', async (monitor) => {
  await stack.rows`
    insert into requests (id, org_id, environment, operation, fingerprint, created_at)
    select gen_random_uuid(), organisations.id, 'sandbox', 'createVerification', '', now() - interval '11 minutes'
    from organisations, generate_series(1, 101)`;
  return monitor.watch(await pagesWhen((all) => valueIn(all, 'request_claims_open') > 100), 11);
});

ringing(
  ['DataKeptTooLong', 'HousekeepingAway', 'HousekeepingPaused'],
  'data that nobody deletes, while the schedule is paused',
  async (monitor) => {
    const schedule = temporal.schedule.getHandle('housekeeping');
    await schedule.pause();
    const id = await opened();
    await stack.rows`update verifications set link_expires_at = now() - interval '120 days' where id = ${id}`;
    await stack.rows`update ledger set created_at = now() - interval '127 days' where subject_id = ${id}`;
    const kept = await pagesWhen(
      (all) =>
        valueIn(all, 'housekeeping_paused') > 0 && valueIn(all, 'housekeeping_overdue_seconds') > 6 * 3_600,
    );
    expect(monitor.watch(kept, 15)).toContain('DataKeptTooLong');
    expect(monitor.watch(kept, 6 * 60)).toContain('HousekeepingAway');
    const rang = monitor.watch(kept, 24 * 60);
    await schedule.unpause();
    return rang;
  },
);

ringing('HousekeepingAway', 'purges that have ended before and then stop', async (monitor) => {
  const schedule = temporal.schedule.getHandle('housekeeping');
  const [{ now } = { now: 0 }] = await stack.rows<{
    now: number;
  }>`select extract(epoch from now())::float8 as now`;
  await schedule.trigger();
  await pagesWhen((all) => {
    const ended = Object.values(all)
      .flat()
      .filter(({ name }) => name === 'housekeeping_last_success_seconds');
    return ended.length > 0 && ended.every(({ value }) => value >= now);
  });
  await schedule.pause();
  const stopped = await pagesWhen((all) => valueIn(all, 'housekeeping_paused') > 0);
  await schedule.unpause();
  // Three hours after the last purge, and two more hours of waiting.
  expect(monitor.watch(stopped, 280)).not.toContain('HousekeepingAway');
  return monitor.watch(stopped, 30);
});

ringing('DeliveriesQueued', 'a receiver that hangs while events wait for it', async (monitor) => {
  await Promise.allSettled(stack.createMany(80).answers);
  await stack.rows`update deliveries set created_at = created_at - interval '16 minutes' where queued_at is not null`;
  const rang = monitor.watch(
    await pagesWhen((all) => valueIn(all, 'webhook_deliveries_oldest_queued_seconds') > 900),
    16,
  );
  release.resolve();
  return rang;
});

ringing(
  ['WorkerAway', 'ClockOff'],
  'a worker that is killed, and one with a wrong clock',
  async (monitor) => {
    stack.worker.signal('SIGKILL');
    await stack.worker.exited;
    const away = monitor.watch(await pages(), 3);

    Object.assign(env, wrongClock(5_000));
    await stack.startWorker();
    const off = await pagesWhen((all) => valueIn(all, 'process_clock_offset_seconds') > 2);
    return [...away, ...monitor.watch(off, 6)];
  },
);

ringing('TemporalAway', 'Temporal that is away', async (monitor) => {
  const failures = (all: Pages) => valueIn(all, 'temporal_long_request_failure_total');
  const before = failures(await pages());
  await stack.temporal.stop();
  const away = await pagesWhen((all) => failures(all) > before);
  monitor.watch(away, 6);
  const stillAway = await pagesWhen((all) => failures(all) > failures(away) + 10);
  return monitor.watch(stillAway, 10);
});

test('each rule has a name of its own and says what is wrong', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { annotations } of rules) expect(annotations.summary).toMatch(/^[A-Z].*\.$/);
});

test('each rule rings in a test of this folder', () => {
  const folder = new URL('.', import.meta.url);
  const rung = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => [
      ...readFileSync(new URL(name, folder), 'utf8').matchAll(/^ringing\(\s*(\[[^\]]*\]|'\w+')/gm),
    ])
    .flatMap(([, named = '']) => [...named.matchAll(/\w+/g)].map(String));
  expect([...new Set(rung)].sort()).toEqual(rules.map(({ alert }) => alert).sort());
});
