import { writeFile } from 'node:fs/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { expect, inject, test } from 'vitest';
import { deliveryWorkflowId, verificationWorkflowId, workflowNames } from '#contract/workflows.ts';
import { housekeepingInput } from '#policy/retention.ts';
import { call, type Harness, startHarness } from '#test/support/harness.ts';
import { anyPicture, person } from '#test/support/person.ts';
import { startReceiver } from '#test/support/receiver.ts';

// RECORD_HISTORIES=1 writes the histories of these tests to test/histories, where later versions of the workflows replay them.
const record = process.env.RECORD_HISTORIES === '1';

const harness = await startHarness({ retryWaitsMs: [50, 50, 50, 50, 50] });

type Scenario = { name: string; replies: Parameters<typeof startReceiver>; body: object; complete?: true };
const scenarios: Scenario[] = [
  { name: 'born-completed', replies: [{ status: 200 }], body: {} },
  {
    name: 'completed-by-api',
    replies: [{ status: 500 }, { status: 200 }],
    body: { sandbox: { auto_complete: false } },
    complete: true,
  },
  {
    name: 'never-delivered',
    replies: [{ status: 500 }],
    body: { method: 'idin', sandbox: { scenario: 'rejected' } },
  },
];

test.each(scenarios)('the histories of $name replay', async ({ name, replies, body, complete }) => {
  const { key } = await harness.key({ org: name });
  const receiver = await startReceiver(...replies);
  await call(harness, 'POST', '/v1/webhooks', { key, body: { url: receiver.url } });
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  if (complete) await call(harness, 'POST', `/v1/verifications/${json.id}/complete`, { key });

  await replays(`verification-${name}`, verificationWorkflowId(json.id));
  await replays(`delivery-${name}`, await deliveryOf(json.id));
  await receiver.stop();
});

test.each(['sandbox', 'live'] as const)(
  'the history of a flow that a person walked in %s replays',
  async (environment) => {
    const { key } = await harness.key({ org: 'Walked', environment });
    const body = {
      method: 'document_only',
      ...(environment === 'sandbox' && { sandbox: { auto_complete: false } }),
    };
    const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
    const user = person(harness, json.verify_url);
    await user.start();
    if (environment === 'sandbox') await user.specimen('passport_page');
    else await user.upload('passport_page', await anyPicture());
    await user.submit();
    await replays(`verification-walked-in-${environment}`, verificationWorkflowId(json.id));
  },
);

test('the history of a delivery that waited for its turn replays', async () => {
  const oneAtOnce = await startHarness({ turns: { attempts: 200, perEndpoint: 1, inline: 50 } });
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const receiver = await startReceiver({ status: 200, until: held }, { status: 200 });
  try {
    const { key } = await oneAtOnce.key();
    await call(oneAtOnce, 'POST', '/v1/webhooks', { key, body: { url: receiver.url } });
    await call(oneAtOnce, 'POST', '/v1/verifications', { key });
    await receiver.waitFor(1);
    const { json } = await call(oneAtOnce, 'POST', '/v1/verifications', { key });
    const workflowId = await deliveryOf(json.id, oneAtOnce);
    await expect.poll(() => timersOf(oneAtOnce, workflowId), { timeout: 20_000 }).toBeGreaterThan(0);
    expect(receiver.received).toHaveLength(1);
    letGo();
    await replays('delivery-waited-for-its-turn', workflowId, oneAtOnce);
    expect(receiver.received).toHaveLength(2);
  } finally {
    letGo();
    await receiver.stop();
  }
});

test('the first attempt at a receiver known to be swift is made on the spot; its history replays', async () => {
  const { key } = await harness.key({ org: 'Swift' });
  const receiver = await startReceiver({ status: 200 });
  await call(harness, 'POST', '/v1/webhooks', { key, body: { url: receiver.url } });
  const deliver = async () => {
    const { json } = await call(harness, 'POST', '/v1/verifications', { key });
    const workflowId = await deliveryOf(json.id);
    await harness.temporal.workflow.getHandle(workflowId).result();
    return workflowId;
  };
  expect(await activitiesOf(await deliver())).toBe(1);
  let workflowId = '';
  await expect
    .poll(async () => {
      workflowId = await deliver();
      return activitiesOf(workflowId);
    })
    .toBe(0);
  await replays('delivery-on-the-spot', workflowId);
  await receiver.stop();
});

async function deliveryOf(verificationId: string, { rows } = harness): Promise<string> {
  const found = await rows<{ id: string }>`
    select d.id from deliveries d join events e on e.id = d.event_id
    where e.verification_id = ${verificationId}`;
  return deliveryWorkflowId(found[0]?.id ?? '');
}

async function activitiesOf(workflowId: string): Promise<number> {
  const { events } = await harness.temporal.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).filter((event) => event.activityTaskScheduledEventAttributes).length;
}

async function timersOf({ temporal }: Harness, workflowId: string): Promise<number> {
  const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).filter(({ timerStartedEventAttributes }) => timerStartedEventAttributes).length;
}

test('the history of housekeeping replays', async () => {
  await harness.rows`
    insert into request_log (request_id, org_id, environment, key_id, method, path, status, duration_ms, created_at)
    select 'req_' || n, gen_random_uuid(), 'live', gen_random_uuid(), 'GET', '/v1/webhooks', 200, 1, now() - interval '31 days'
    from generate_series(1, 3) as n`;
  const { workflowId } = await harness.temporal.workflow.start(workflowNames.housekeeping, {
    workflowId: harness.housekeepingId,
    taskQueue: harness.queues.verifications,
    args: [{ ...housekeepingInput, batchSize: 2 }],
  });
  await replays('housekeeping', workflowId);
});

async function replays(name: string, workflowId: string, { temporal } = harness): Promise<void> {
  const handle = temporal.workflow.getHandle(workflowId);
  await handle.result();
  const history = await handle.fetchHistory();
  if (record) await writeFile(`test/histories/${name}.json`, anonymous(historyToJSON(history)));
  const codePath = inject('workflowBundleFile');
  await expect(Worker.runReplayHistory({ workflowBundle: { codePath } }, history)).resolves.toBeUndefined();
}

/** Removes the names of the process and the machine that recorded the history. */
const anonymous = (json: string) => json.replaceAll(/"identity": "[^"]*"/g, '"identity": "worker"');
