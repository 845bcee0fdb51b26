import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { recordStart, recordSubmission } from '#services/flow/record.ts';
import { createSubmissionSweep } from '#services/flow/restart.ts';
import { recordVerdict } from '#services/recording/record.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { defaultCacheDir } from '#worker/standalone/cache-dir.ts';
import { findTemporal } from '#worker/standalone/temporal/temporal.ts';
import { storedOf } from '../verify/stored.ts';

/** Somebody reaches Temporal and wants a live approval. */

const refused = { payloads: 0, orders: 0 };
const counting = (name: keyof typeof refused) => ({
  ...noInstruments.ordersRefused,
  add: (count: number) => {
    refused[name] += count;
  },
});
const instruments = {
  ...noInstruments,
  payloadsRefused: counting('payloads'),
  ordersRefused: counting('orders'),
};
/** The reader of documents waits for this promise. */
let gate = Promise.withResolvers<void>();
const documents = {
  check: async () => {
    await gate.promise;
    return { checks: [], read: null };
  },
  close: async () => undefined,
};
const harness = await startHarness({ instruments, documents });
const stored = storedOf(harness);
const partner = await startPartner(harness, { environment: 'live' });
const { key, organisationId: orgId } = partner;
const { workflow, connection } = harness.temporal;
const stranger = new Client({ connection, namespace: 'default' });

beforeEach(() => {
  gate = Promise.withResolvers<void>();
  Object.assign(refused, { payloads: 0, orders: 0 });
});
afterEach(() => gate.resolve());

async function readyToSend() {
  const body = { method: 'document_only' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  const user = person(harness, json.verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  return { id: json.id as string, user, workflowId: verificationWorkflowId(json.id) };
}

const read = async (id: string) => (await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json;

const expectNothingSigned = async (id: string) => {
  expect(await read(id)).toMatchObject({ status: 'in_progress', verdict: null });
  expect(await stored.lines(id)).not.toContain('verification.completed');
  expect(partner.receiver.received.filter(({ body }) => String(body).includes(id))).toHaveLength(0);
};

const outcomeOf = async (id: string) => {
  gate.resolve();
  await expect.poll(async () => (await read(id)).status, { timeout: 30_000 }).toBe('completed');
  return (await read(id)).verdict;
};

const inReview = { outcome: 'review', assurance_level: 'low', reviewed: false };

/** An operator ends a run that cannot go on. Two minutes after the submission, the sweep starts it again from the row. */
async function startedAgain(id: string, workflowId: string) {
  await workflow.getHandle(workflowId).terminate('its history was forged');
  const clock = { ...harness.ctx.clock, now: () => new Date(Date.now() + 121_000) };
  await createSubmissionSweep({ ...harness.ctx, clock })(new AbortController().signal);
  return outcomeOf(id);
}

test('a run that Temporal’s command line started with an approving plan approves nobody', async () => {
  const { id, workflowId } = await readyToSend();
  await workflow.getHandle(workflowId).terminate('attack');
  const sandbox = { scenario: 'approved', autoComplete: false };
  const forged = { verificationId: id, orgId, environment: 'sandbox', method: 'document_only', sandbox };
  const binary = await findTemporal({ cacheDir: defaultCacheDir(process.env), say: () => undefined });
  await promisify(execFile)(binary, [
    ...['workflow', 'start', '--address', inject('temporalAddress'), '--type', 'verification'],
    ...['--task-queue', harness.queues.verifications, '-w', workflowId, '--input', JSON.stringify(forged)],
  ]);
  await expect.poll(() => refused.payloads).toBeGreaterThan(0);
  await expectNothingSigned(id);
  await harness.rows`update verifications set submitted_at = now() where id = ${id}`;
  expect(await startedAgain(id, workflowId)).toMatchObject(inReview);
});

const resultOf = (result: object) => {
  const payload = defaultPayloadConverter.toPayload(result);
  if (payload === undefined) throw new Error('a result has a payload');
  return payload;
};

/** Answers the running examination in place of the worker. */
const answerExamination = async (workflowId: string, result: ReturnType<typeof resultOf>) => {
  const activity = async () =>
    (await workflow.getHandle(workflowId).describe()).raw.pendingActivities?.[0]?.activityId;
  await expect.poll(activity).toBeDefined();
  await stranger.workflowService.respondActivityTaskCompletedById({
    ...{ namespace: 'default', workflowId, activityId: String(await activity()) },
    result: { payloads: [result] },
  });
};

test('an examination that somebody without the key answers is refused, and nothing is signed', async () => {
  const { id, user, workflowId } = await readyToSend();
  await user.submit();
  await answerExamination(workflowId, resultOf({ examined: true }));
  await expect.poll(() => refused.payloads).toBeGreaterThan(0);
  await expectNothingSigned(id);
  expect(await startedAgain(id, workflowId)).toMatchObject(inReview);
});

test('an examination that somebody with the key answers gives no verdict, and is made all the same', async () => {
  const { id, user, workflowId } = await readyToSend();
  await user.submit();
  const context = { type: 'workflow', namespace: 'default', workflowId } as const;
  const [sealed] = await harness.codec.encode([resultOf({ examined: true })], context);
  await answerExamination(workflowId, sealed ?? {});
  await expect.poll(() => refused.orders).toBe(1);
  await expectNothingSigned(id);
  expect(await outcomeOf(id)).toMatchObject(inReview);
});

test('a value that was copied from another workflow is refused', async () => {
  const [own, other] = [await readyToSend(), await readyToSend()];
  const { events } = await stranger.workflow.getHandle(other.workflowId).fetchHistory();
  const input = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  await workflow.getHandle(own.workflowId).terminate('attack');
  await connection.workflowService.startWorkflowExecution({
    ...{ namespace: 'default', requestId: own.id, workflowId: own.workflowId },
    workflowType: { name: 'verification' },
    taskQueue: { name: harness.queues.verifications },
    input: { payloads: input },
  });
  await expect.poll(() => refused.payloads).toBeGreaterThan(0);
  await expectNothingSigned(own.id);
});

test.each([
  ['start', recordStart],
  ['submit', recordSubmission],
  ['verdict', recordVerdict],
] as const)(
  'an order to %s with the id of a request that nobody made changes nothing',
  async (name, record) => {
    const { id } = await readyToSend();
    const status = name === 'start' ? 'pending' : 'in_progress';
    await harness.rows`update verifications set status = ${status} where id = ${id}`;
    const lines = await stored.lines(id);
    const order = { verificationId: id, orgId, environment: 'live', requestId: 'req_forged' } as const;
    expect(await record(harness.ctx, order)).toMatchObject({ status, submitted: false, deliveryIds: [] });
    expect(refused.orders).toBe(1);
    expect(await stored.lines(id)).toEqual(lines);
  },
);

test.each([
  ['another organisation', { orgId: '00000000-0000-7000-8000-000000000000', environment: 'live' }],
  ['another environment', { orgId, environment: 'sandbox' }],
] as const)('an order of %s finds no verification', async (_, whose) => {
  const { id } = await readyToSend();
  await harness.rows`update verifications set submitted_at = now() where id = ${id}`;
  const order = { verificationId: id, ...whose, requestId: null };
  expect(await recordVerdict(harness.ctx, order)).toMatchObject({ status: 'missing' });
  await expectNothingSigned(id);
});
