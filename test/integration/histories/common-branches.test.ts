import { expect, test } from 'vitest';
import {
  deliveryWorkflowId,
  dossierWorkflowId,
  housekeepingPartId,
  type PurgeInput,
  verificationWorkflowId,
  workflowNames,
} from '#contract/workflows.ts';
import { orderDossier } from '#services/dossiers/order.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { asOwner } from '#test/support/people/as-member.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { startReceiver } from '#test/support/people/receiver.ts';
import { courseOf, replays } from './replays.ts';

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

  await replays(`verification-${name}`, verificationWorkflowId(json.id), harness);
  const delivery = await deliveryOf(json.id);
  // The first attempt left with the event, and the workflow took its outcome inside its first task.
  expect(await courseOf(delivery, harness)).toContain('markerRecorded');
  await replays(`delivery-${name}`, delivery, harness);
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
    await replays(`verification-walked-in-${environment}`, verificationWorkflowId(json.id), harness);
  },
);

test('the history of a delivery that waited for its turn replays', async () => {
  const oneAtOnce = await startHarness({ turns: { attempts: 200, perEndpoint: 1 } });
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const receiver = await startReceiver({ status: 200, until: held }, { status: 200 });
  try {
    const { key } = await oneAtOnce.key();
    const { json } = await call(oneAtOnce, 'POST', '/v1/webhooks', { key, body: { url: receiver.url } });
    await call(oneAtOnce, 'POST', '/v1/verifications', { key });
    await receiver.waitFor(1);
    // An event would wait in the queue of its endpoint, without a workflow.
    await call(oneAtOnce, 'POST', `/v1/webhooks/${json.id}/test`, { key });
    const [test] = await oneAtOnce.rows<{ id: string }>`select id from deliveries where trigger = 'test'`;
    const workflowId = deliveryWorkflowId(test?.id ?? '');
    await expect.poll(() => courseOf(workflowId, oneAtOnce)).toContain('timerStarted');
    expect(receiver.received).toHaveLength(1);
    letGo();
    await replays('delivery-waited-for-its-turn', workflowId, oneAtOnce);
    expect(receiver.received).toHaveLength(2);
  } finally {
    letGo();
    await receiver.stop();
  }
});

test('the history of a delivery whose first attempt is slow, so that an activity waits for it, replays', async () => {
  const { key } = await harness.key({ org: 'Slow' });
  const receiver = await startReceiver({ status: 200, delayMs: 1_500 });
  await call(harness, 'POST', '/v1/webhooks', { key, body: { url: receiver.url } });
  const { json } = await call(harness, 'POST', '/v1/verifications', { key });
  const workflowId = await deliveryOf(json.id);
  await replays('delivery-slow-at-first', workflowId, harness);
  expect(await courseOf(workflowId, harness)).toEqual(
    expect.arrayContaining(['markerRecorded', 'activityTaskScheduled']),
  );
  expect(receiver.received).toHaveLength(1);
  await receiver.stop();
});

async function deliveryOf(verificationId: string, { rows } = harness): Promise<string> {
  const found = await rows<{ id: string }>`
    select d.id from deliveries d join events e on e.id = d.event_id
    where e.verification_id = ${verificationId}`;
  return deliveryWorkflowId(found[0]?.id ?? '');
}

test('the histories of housekeeping and of a purge replay', async () => {
  const { organisationId } = await harness.key({ org: 'Old' });
  await harness.rows`
    insert into requests (id, org_id, environment, operation, fingerprint, status, idempotency_key, created_at)
    select gen_random_uuid(), ${organisationId}, 'live', 'create_verification', '\\x00', 'answered',
      'key ' || n, now() - interval '2 days'
    from generate_series(1, 5) as n`;
  const taskQueue = harness.queues.verifications;
  const input: PurgeInput = { what: 'claims', rowsMax: 1, batchesMax: 3, rows: 0 };
  const purge = await harness.temporal.workflow.start(workflowNames.purge, {
    ...{ workflowId: `purge-${harness.housekeepingId}`, taskQueue, args: [input] },
  });
  await purge.result();
  await replays('purge-first-run', purge.workflowId, harness, purge.firstExecutionRunId);
  await replays('purge-last-run', purge.workflowId, harness);

  const { workflowId } = await harness.temporal.workflow.start(workflowNames.housekeeping, {
    ...{ workflowId: harness.housekeepingId, taskQueue },
  });
  await replays('housekeeping', workflowId, harness);
  const signing = housekeepingPartId(harness.housekeepingId, 'ledger');
  await harness.temporal.workflow.getHandle(signing).result();
  await replays('sign-ledger', signing, harness);
});

test('the history of a dossier that a member ordered replays', async () => {
  const { key, organisationId: orgId } = await harness.key({ org: 'Audited' });
  const { json } = await call(harness, 'POST', '/v1/verifications', { key });
  const wanted = { verificationId: json.id, format: 'json' } as const;
  const caller = asOwner({ id: 'member' }, orgId, 'sandbox');
  // This worker has no key that signs.
  const { orderId, state } = await orderDossier(
    { ...harness.ctx, deadlineAt: Date.now() + 60_000 },
    caller,
    wanted,
  );
  expect(state).toBe('no_key');
  await replays('dossier', dossierWorkflowId(orderId), harness);
});
