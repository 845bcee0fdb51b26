import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DocumentReader } from '#activities/checks/port.ts';
import { deliveryWorkflowId, verificationWorkflowId } from '#contract/workflows.ts';
import { createSubmissionSweep } from '#services/flow/restart.ts';
import { sweepRunsEveryMs } from '#services/runs/restart-runs.ts';
import { untilAsleep } from '#test/support/asleep.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { type Change, changedProduct } from '#test/support/changed-product.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { newerActivity, newerTimers } from '#test/support/newer-product.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { bundleWorkflows, type WorkflowBuild } from '#worker/bundle.ts';

/** A worker of one build begins a run. It stops, and a worker of another build takes over. */

const reader = { fails: true };
const documents: DocumentReader = {
  async check() {
    if (reader.fails) throw new Error('not now');
    return { checks: [], read: null };
  },
  close: async () => undefined,
};
const harness = await startHarness({ worker: false, documents, retryWaitsMs: [2_000, 2_000] });

/** The workflow code with these changes, as a build of its own. */
async function buildWith(changes: readonly Change[]): Promise<WorkflowBuild> {
  const root = await changedProduct(changes);
  atTheEnd(() => rm(root, { recursive: true, force: true }));
  const { buildId, bundle } = await bundleWorkflows({ root });
  const codePath = join(root, 'workflows.js');
  await writeFile(codePath, bundle.code);
  return { buildId, bundle: { codePath } };
}

const newer = await buildWith(newerTimers);

async function replaceWorkerBy(build?: WorkflowBuild): Promise<void> {
  await harness.stopWorker();
  await harness.startWorker(build);
}

/** Creates one whose run has begun: the answer waits for no worker, and the next worker may be of another build. */
async function createPending(key: string) {
  const body = { sandbox: { auto_complete: false } };
  const { status, json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  expect(status).toBe(201);
  await untilAsleep(harness, json.id);
  return json;
}

const complete = async (key: string, id: string) =>
  (await call(harness, 'POST', `/v1/verifications/${id}/complete`, { key })).status;

const statusOf = async (id: string) =>
  (await harness.rows<{ status: string }>`select status from verifications where id = ${id}`)[0]?.status;

/** How each run of the workflow ended, the oldest first. */
async function runsOf(workflowId: string): Promise<string[]> {
  const runs = [];
  for await (const { status } of harness.temporal.workflow.list({ query: `WorkflowId = '${workflowId}'` }))
    runs.unshift(status.name);
  return runs;
}

async function tasksThatFailed(workflowId: string): Promise<number> {
  const { events } = await harness.temporal.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).filter(({ workflowTaskFailedEventAttributes: failed }) => failed).length;
}

test('a command to a flow that another build began is carried out, in a new run', async () => {
  const { key } = await harness.key();
  await replaceWorkerBy();
  const { id, verify_url } = await createPending(key);
  await replaceWorkerBy(newer);
  const workflowId = verificationWorkflowId(id);
  await person(harness, verify_url).start();
  expect(await statusOf(id)).toBe('in_progress');
  expect(await tasksThatFailed(workflowId)).toBe(0);
  expect(await complete(key, id)).toBe(200);
  await expect.poll(() => runsOf(workflowId)).toEqual(['FAILED', 'COMPLETED']);
});

test('of twenty commands at once to a flow that another build began, one is carried out', async () => {
  const { key } = await harness.key();
  await replaceWorkerBy();
  const { id } = await createPending(key);
  await replaceWorkerBy(newer);
  const answers = await Promise.all(Array.from({ length: 20 }, () => complete(key, id)));
  expect(answers.toSorted()).toEqual([200, ...Array(19).fill(409)]);
  await expect.poll(() => runsOf(verificationWorkflowId(id))).toEqual(['FAILED', 'COMPLETED']);
});

test('a flow that waits for an activity of another build takes commands after a roll back', async () => {
  const { key } = await harness.key();
  await replaceWorkerBy(await buildWith(newerActivity));
  const { id } = await createPending(key);
  const handle = harness.temporal.workflow.getHandle(verificationWorkflowId(id));
  const waitsFor = async () => (await handle.describe()).raw.pendingActivities?.[0]?.lastFailure?.message;
  await expect.poll(waitsFor).toBe('unknown_activity');
  await replaceWorkerBy();
  expect(await complete(key, id)).toBe(200);
  await expect.poll(() => runsOf(verificationWorkflowId(id))).toEqual(['FAILED', 'COMPLETED']);
});

test('a delivery that sleeps is continued by another build, and no attempt is made twice', async () => {
  await replaceWorkerBy();
  const partner = await startPartner(harness, {}, { status: 500 }, { status: 200 });
  await call(harness, 'POST', '/v1/verifications', { key: partner.key });
  await partner.receiver.waitFor(1);
  const delivery = async () => (await partner.deliveries())[0];
  await expect.poll(delivery).toMatchObject({ status: 'retrying' });
  await replaceWorkerBy(newer);
  await expect
    .poll(delivery)
    .toMatchObject({ status: 'delivered', attempts: [{ number: 1 }, { number: 2 }] });
  expect(partner.receiver.received).toHaveLength(2);
  const workflowId = deliveryWorkflowId((await delivery()).id);
  await expect.poll(() => runsOf(workflowId)).toEqual(['FAILED', 'COMPLETED']);
});

/** Takes the next workflow task of the webhooks and does nothing with it, like a worker that dies. */
async function loseTask(): Promise<void> {
  const taskQueue = { name: harness.queues.webhooks };
  const { connection } = harness.temporal;
  const task = await connection.withDeadline(Date.now() + 20_000, () =>
    connection.workflowService.pollWorkflowTaskQueue({ namespace: 'default', taskQueue }),
  );
  expect(task.attempt).toBe(1);
}

test('a delivery whose task was lost with its worker is continued by another build', async () => {
  await replaceWorkerBy();
  const partner = await startPartner(harness, {}, { status: 500 }, { status: 200 });
  await call(harness, 'POST', '/v1/verifications', { key: partner.key });
  const delivery = async () => (await partner.deliveries())[0];
  await expect.poll(delivery).toMatchObject({ status: 'retrying' });
  await harness.stopWorker();
  await loseTask();
  await harness.startWorker(newer);
  await expect.poll(delivery, { timeout: 30_000 }).toMatchObject({ status: 'delivered' });
  expect(partner.receiver.received).toHaveLength(2);
  const workflowId = deliveryWorkflowId((await delivery()).id);
  await expect.poll(() => runsOf(workflowId)).toEqual(['TERMINATED', 'COMPLETED']);
}, 60_000);

/** A live verification whose person submitted everything, and which waits for its checks. */
async function submitted() {
  const { key } = await harness.key({ environment: 'live' });
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { method: 'document_only' },
  });
  const user = person(harness, json.verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  await user.submit();
  return json.id as string;
}

/** The last sweep within two minutes after the submission. */
async function sweepSubmission(id: string): Promise<void> {
  const seconds = (120_000 - sweepRunsEveryMs) / 1_000;
  await harness.rows`
    update verifications set submitted_at = now() - ${seconds}::int * interval '1 second' where id = ${id}`;
  await createSubmissionSweep(harness.ctx)(new AbortController().signal);
}

test('a submission that waits for its checks gets its verdict from another build', async () => {
  await replaceWorkerBy();
  reader.fails = true;
  const id = await submitted();
  const handle = harness.temporal.workflow.getHandle(verificationWorkflowId(id));
  const lastFailure = async () =>
    (await handle.describe()).raw.pendingActivities?.find(({ lastFailure: failure }) => failure)?.lastFailure
      ?.message;
  await expect.poll(lastFailure, { timeout: 20_000 }).toBe('tried_again_later');
  await replaceWorkerBy(newer);
  reader.fails = false;
  await expect.poll(() => runsOf(verificationWorkflowId(id)), { timeout: 30_000 }).toEqual(['FAILED']);
  await sweepSubmission(id);
  await expect.poll(() => statusOf(id)).toBe('completed');
});

const bug: Change = {
  file: 'workflows/verification.ts',
  from: 'return recordVerdict({ ...ref, requestId: null });',
  to: "if (ref.environment === 'live') throw new Error('a bug'); return recordVerdict({ ...ref, requestId: null });",
};

test('a run whose tasks a faulty version failed gets its verdict after the roll back', async () => {
  await replaceWorkerBy(await buildWith([bug]));
  reader.fails = false;
  const id = await submitted();
  const workflowId = verificationWorkflowId(id);
  await expect.poll(() => tasksThatFailed(workflowId)).toBeGreaterThan(0);
  await replaceWorkerBy();
  await expect.poll(() => statusOf(id), { timeout: 30_000 }).toBe('completed');
  await expect.poll(() => runsOf(workflowId)).toEqual(['TERMINATED', 'COMPLETED']);
}, 60_000);
