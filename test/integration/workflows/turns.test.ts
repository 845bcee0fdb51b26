import { temporal } from '@temporalio/proto';
import { expect, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });

async function created(org: string, count: number): Promise<string[]> {
  const { key } = await harness.key({ org, environment: 'live' });
  const creates = Array.from({ length: count }, () =>
    call(harness, 'POST', '/v1/verifications', { key, body: {} }),
  );
  return (await Promise.all(creates)).map(({ json }) => json.id as string);
}

/** The number of first tasks that wait for a worker, as Temporal counts them. */
async function waiting(): Promise<number> {
  const { stats } = await harness.temporal.workflowService.describeTaskQueue({
    namespace: harness.temporal.options.namespace,
    taskQueue: { name: harness.queues.verifications },
    taskQueueType: temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
    reportStats: true,
  });
  return Number(stats?.approximateBacklogCount);
}

/** The time at which a worker took the first task of a run. */
async function takenAt(id: string): Promise<bigint> {
  const handle = harness.temporal.workflow.getHandle(verificationWorkflowId(id));
  const taken = async () =>
    (await handle.fetchHistory()).events?.find((event) => event.workflowTaskStartedEventAttributes)
      ?.eventTime;
  await expect.poll(taken).toBeDefined();
  const { seconds, nanos } = (await taken()) ?? {};
  return BigInt(String(seconds)) * 1_000_000_000n + BigInt(nanos ?? 0);
}

test('the verification of one organisation does not wait for the many of another that came before', async () => {
  const many = await created('Many', 60);
  const [one = ''] = await created('One', 1);
  await expect.poll(waiting).toBe(61);
  await harness.startWorker();

  const ofOne = await takenAt(one);
  const ofMany = await Promise.all(many.map(takenAt));
  expect(ofMany.filter((at) => at < ofOne).length).toBeLessThan(30);
});
