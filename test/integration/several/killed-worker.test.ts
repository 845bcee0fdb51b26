import { hostname } from 'node:os';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { call } from '#test/support/harness.ts';
import { type Cluster, startCluster } from './cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
}, 90_000);
afterAll(() => cluster.stop());

test('a command to a flow in the cache of a worker that was killed is answered by the other worker', async () => {
  const [api] = cluster.apis;
  const { key } = await cluster.key({ org: 'Orphaned' });
  const create = async () => {
    const body = { sandbox: { auto_complete: false } };
    return (await call(api, 'POST', '/v1/verifications', { key, body })).json.id as string;
  };
  const ids = await Promise.all(Array.from({ length: 10 }, create));
  const cachedBy = new Map<string, string[]>();
  for (const id of ids) {
    // A create that stays pending waits for no worker.
    const worker = await vi.waitUntil(() => lastWorkerOf(id), { timeout: 20_000 });
    cachedBy.set(worker, [...(cachedBy.get(worker) ?? []), id]);
  }
  const of = (pid: number) => cachedBy.get(`${pid}@${hostname()}`) ?? [];
  const [victim] = cluster.workers.toSorted((a, b) => of(b.pid).length - of(a.pid).length);
  const orphaned = of(victim?.pid ?? 0);
  expect(orphaned.length).toBeGreaterThanOrEqual(5);

  victim?.signal('SIGKILL');
  await victim?.exited;
  const complete = (id: string) => call(api, 'POST', `/v1/verifications/${id}/complete`, { key });
  const answers = await Promise.all(orphaned.map(complete));
  expect(answers.map(({ status }) => status)).toEqual(orphaned.map(() => 200));
});

/** The worker that carried out the newest step of a flow. Undefined while none has. */
async function lastWorkerOf(id: string): Promise<string | undefined> {
  const flow = cluster.temporal.workflow.getHandle(verificationWorkflowId(id));
  const { events } = await flow.fetchHistory().catch(() => ({ events: [] }));
  const last = events?.findLast((event) => event.workflowTaskCompletedEventAttributes);
  return last?.workflowTaskCompletedEventAttributes?.identity ?? undefined;
}
