import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedProduct } from '#test/support/changed-product.ts';
import { call } from '#test/support/harness.ts';
import { activityOfNewer, newerActivity, newerTimers } from '#test/support/newer-product.ts';
import { type Partner, startPartner } from '#test/support/people/partner.ts';
import type { Received } from '#test/support/people/receiver.ts';
import type { Program } from '#test/support/program.ts';
import { type Cluster, startCluster } from '../several/cluster.ts';

/**
 * Workers of two versions, as separate processes. The newer one issues further commands in every workflow. Creates and commands go
 * on while the newer version is rolled out, and while it is rolled back.
 */

let cluster: Cluster;
let newer: string;
beforeAll(async () => {
  const changes = [...newerTimers, ...newerActivity, activityOfNewer];
  [cluster, newer] = await Promise.all([startCluster({ workers: 0 }), changedProduct(changes)]);
}, 90_000);
afterAll(async () => {
  await cluster.stop();
  await rm(newer, { recursive: true, force: true });
});

const eventOf = ({ headers }: Received) => headers['x-service-delivery'];

/** The first attempt fails, so each delivery sleeps for five seconds. Some sleep while the version of the workers changes. */
const failsFirst = (received: readonly Received[], last: Received) =>
  received.filter((each) => eventOf(each) === eventOf(last)).length > 1 ? { status: 200 } : { status: 500 };

/** Creates verifications until it is told to stop. Half of them stay pending, and are completed a few creates later. */
function startLoad({ url }: { url: string }, { key }: Partner) {
  const wrong: object[] = [];
  let created = 0;
  const expectStatus = (status: number, answer: Awaited<ReturnType<typeof call>>) => {
    if (answer.status !== status) wrong.push({ expected: status, ...answer.json });
    return answer;
  };
  const create = async (auto_complete: boolean): Promise<string> => {
    const body = { sandbox: { auto_complete } };
    const { json } = expectStatus(201, await call({ url }, 'POST', '/v1/verifications', { key, body }));
    created += 1;
    return json.id;
  };
  const complete = async (id: string) =>
    void expectStatus(200, await call({ url }, 'POST', `/v1/verifications/${id}/complete`, { key }));
  const pending: string[] = [];
  let goesOn = true;
  const caller = async () => {
    while (goesOn) {
      await create(true);
      pending.push(await create(false));
      const oldest = pending.length > 6 && pending.shift();
      if (oldest) await complete(oldest);
    }
  };
  const callers = [caller(), caller()];
  return {
    wrong,
    create,
    complete,
    goOn: async (count: number) => {
      const enough = created + count;
      await expect.poll(() => created, { timeout: 60_000 }).toBeGreaterThanOrEqual(enough);
    },
    stop: async () => {
      goesOn = false;
      await Promise.all(callers);
      await Promise.all(pending.map(complete));
    },
  };
}

const stop = async (worker: Program) => {
  worker.signal('SIGTERM');
  expect(await worker.exited).toBe(0);
};

/** The number of runs that ended so, or that run. */
const countRuns = async (status: 'Running' | 'Completed' | 'Failed', type: string) =>
  (await cluster.temporal.workflow.count(`ExecutionStatus = '${status}' AND WorkflowType = '${type}'`)).count;

/** The server's answer if an event arrives while a task ends its run. The worker gets the task again, with the event. */
const unhandledCommand = 1;

/** The workflow tasks that failed in any run. */
async function failedTasks() {
  const found = [];
  const { workflow } = cluster.temporal;
  for await (const { workflowId, runId } of workflow.list()) {
    const { events } = await workflow.getHandle(workflowId, runId).fetchHistory();
    for (const { workflowTaskFailedEventAttributes: failed } of events ?? [])
      if (failed && failed.cause !== unhandledCommand)
        found.push({ workflowId, message: failed.failure?.message });
  }
  return found;
}

test('under load a version is rolled out and rolled back, and nobody notices', async () => {
  const api = { url: cluster.apis[0].url, key: cluster.key };
  const older = await cluster.startWorker();
  const partner = await startPartner(api, {}, failsFirst);
  const load = startLoad(api, partner);
  const some = () => Promise.all(Array.from({ length: 5 }, () => load.create(false)));
  const completeAll = (ids: string[]) => Promise.all(ids.map(load.complete));
  const createdByOlder = await some();
  const neverTouchedByNewer = await some();

  const newerWorker = await cluster.startWorker(newer);
  await load.goOn(30);
  await stop(older);
  await load.goOn(10);
  await completeAll(createdByOlder);
  const createdByNewer = await some();

  const olderAgain = await cluster.startWorker();
  await load.goOn(30);
  await stop(newerWorker);
  await load.goOn(10);
  await completeAll([...createdByNewer, ...neverTouchedByNewer]);
  await load.stop();

  expect(load.wrong).toEqual([]);
  const counts = () => cluster.rows<{ of: string; count: number }>`
    select 'verification ' || status as of, count(*)::int from verifications group by 1
    union all select 'delivery ' || status, count(*)::int from deliveries group by 1
    union all select 'attempts', count(*)::int from delivery_attempts`;
  const created = (await counts()).find(({ of }) => of === 'verification completed')?.count ?? 0;
  expect(created).toBeGreaterThan(80);
  await expect
    .poll(async () => Object.fromEntries((await counts()).map(({ of, count }) => [of, count])), {
      timeout: 60_000,
    })
    .toEqual({ 'verification completed': created, 'delivery delivered': created, attempts: 2 * created });
  expect(partner.receiver.received).toHaveLength(2 * created);

  for (const type of ['verification', 'delivery']) {
    // A run may wait for an activity of the newer version, which fails after half a minute.
    await expect.poll(() => countRuns('Running', type), { timeout: 60_000 }).toBe(0);
    // The runs that the other version began failed, and began again.
    expect(await countRuns('Failed', type)).toBeGreaterThan(0);
  }
  expect(await failedTasks()).toEqual([]);
  // The runbook names this line.
  expect(newerWorker.output()).toContain('Failing workflow due to nondeterminism error');
  await stop(olderAgain);
}, 240_000);
