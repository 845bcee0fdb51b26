import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { expect, test } from 'vitest';
import {
  deliveryWorkflowId,
  searchAttributes,
  taskQueues,
  verificationWorkflowId,
} from '#contract/workflows.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { runProgram } from '#test/support/program.ts';
import { startTestTemporal } from '#test/support/servers/temporal.ts';

const folder = await mkdtemp(join(tmpdir(), 'unencrypted-'));
atTheEnd(() => rm(folder, { recursive: true }));
const server = await startTestTemporal(folder);
atTheEnd(() => server.stop());
const harness = await startHarness({ temporalAddress: server.address });
const { key } = await harness.key();
const { workflow, connection } = harness.temporal;
const { temporal } = harness.ctx;

const statusOf = async (workflowId: string) => (await workflow.getHandle(workflowId).describe()).status.name;

test('workflows of a version without encryption are ended, others run on, and the rows start them again', async () => {
  const create = async () => {
    const body = { sandbox: { auto_complete: false } };
    const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
    return { id: json.id as string, workflowId: verificationWorkflowId(json.id) };
  };
  const [own, old] = [await create(), await create()];
  await workflow.getHandle(old.workflowId).terminate('upgrade');
  const earlierVersion = new Client({ connection, namespace: 'default' });
  const started = { taskQueue: harness.queues.verifications, args: [{ verificationId: old.id }] };
  const delivery = deliveryWorkflowId(old.id);
  await earlierVersion.workflow.start('verification', { ...started, workflowId: old.workflowId });
  await earlierVersion.workflow.start('delivery', { ...started, workflowId: delivery });
  await expect.poll(async () => (await temporal.countRunning()).delivery).toBe(1);
  await expect.poll(async () => (await temporal.countRunning()).verification).toBe(2);
  const ids = harness.ctx.secrets.keyIds;
  expect(await temporal.countRunsOfKeys(ids)).toEqual({ ofKey: new Map([[ids[0], 1]]), other: 2 });

  expect(await temporal.endUnencrypted()).toBe(2);
  expect(await statusOf(old.workflowId)).toBe('TERMINATED');
  expect(await statusOf(delivery)).toBe('TERMINATED');
  expect(await statusOf(own.workflowId)).toBe('RUNNING');
  const { status } = await call(harness, 'POST', `/v1/verifications/${old.id}/complete`, { key });
  expect(status).toBe(200);
});

test('the program migrate ends a workflow of a version without encryption', async () => {
  const earlierVersion = new Client({ connection, namespace: 'default' });
  const workflowId = verificationWorkflowId(randomUUID());
  // The program looks at the queues of the product, not at those of this test.
  const started = { taskQueue: taskQueues.verifications, workflowId, args: [{ verificationId: workflowId }] };
  await earlierVersion.workflow.start('verification', started);
  const migrate = async () => {
    const program = runProgram('worker/commands/migrate.ts', {
      ...{ DATABASE_URL: harness.databaseUrl, TEMPORAL_ADDRESS: server.address },
    });
    expect(await program.exited, program.output()).toBe(0);
    return program.output();
  };
  // Temporal lists a workflow a moment after its start.
  await expect
    .poll(migrate, { timeout: 60_000 })
    .toContain('Ended workflows whose input was not encrypted: 1.');
  expect(await statusOf(workflowId)).toBe('TERMINATED');
  expect(await migrate()).not.toContain('Ended');
});

const keyOfRuns = new TypedSearchAttributes([
  { key: searchAttributes.secretsKeyId, value: harness.ctx.secrets.newestKeyId },
]);

test.each([
  ['without a key', { taskQueue: harness.queues.verifications }],
  ['with a value that nobody can decode', { taskQueue: harness.queues.verifications, memo: { a: 1 } }],
  ['for a queue without workers', { taskQueue: 'nobody', typedSearchAttributes: keyOfRuns }],
  ['whose task always fails', { taskQueue: harness.queues.verifications, typedSearchAttributes: keyOfRuns }],
])(
  'a run %s, which a stranger started, is replaced when a command finds it so',
  async (_, started) => {
    const body = { sandbox: { auto_complete: false } };
    const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
    const stranger = new Client({ connection, namespace: 'default' });
    await stranger.workflow.start('verification', {
      ...{ ...started, workflowId: verificationWorkflowId(json.id), args: [{ verificationId: json.id }] },
      workflowIdConflictPolicy: 'TERMINATE_EXISTING',
    });
    const complete = async () =>
      (await call(harness, 'POST', `/v1/verifications/${json.id}/complete`, { key })).status;
    expect(await complete()).toBe(503);
    await expect.poll(complete, { timeout: 150_000 }).toBe(200);
  },
  180_000,
);

test('a create whose run a stranger started is carried out by its repetition', async () => {
  await harness.stopWorker();
  const headers = { 'idempotency-key': 'a-key-of-this-test' };
  const create = () => call(harness, 'POST', '/v1/verifications', { key, headers });
  expect((await create()).status).toBe(503);
  const [{ id } = { id: '' }] = await harness.rows<{ id: string }>`
    select id from requests where idempotency_key = ${headers['idempotency-key']}`;
  const stranger = new Client({ connection, namespace: 'default' });
  await stranger.workflow.start('verification', {
    ...{ workflowId: verificationWorkflowId(id), args: [{}], taskQueue: harness.queues.verifications },
    workflowIdConflictPolicy: 'TERMINATE_EXISTING',
  });
  await harness.startWorker();
  await expect.poll(async () => (await create()).status, { timeout: 60_000 }).toBe(201);
}, 120_000);
