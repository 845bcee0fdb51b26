import { randomUUID } from 'node:crypto';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deliveryWorkflowId, verificationWorkflowId } from '#contract/workflows.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { startReceiver } from '#test/support/people/receiver.ts';

const harness = await startHarness({ retryWaitsMs: [50, 50, 50, 50, 50] });

const marker = `geheim-${randomUUID()}`;

test('Temporal holds summaries in clear and all else encrypted, and no personal value: not in a payload, a summary, a search attribute or a failure', async () => {
  const { key } = await harness.key();
  const receiver = await startReceiver({ status: 500 }, { status: 200, headers: { 'x-echo': marker } });
  await call(harness, 'POST', '/v1/webhooks', {
    key,
    body: { url: `${receiver.url}/${marker}`, description: marker },
  });

  // Every insert fails with "Failing row contains (…, <marker>, …)" until the constraint is gone.
  await harness.rows`alter table verifications add constraint planted check (reference <> ${sql.lit(marker)})`;
  const created = call(harness, 'POST', '/v1/verifications', {
    key,
    body: { reference: marker },
    headers: { 'idempotency-key': marker },
  });
  const id = await verificationId();
  const verification = harness.temporal.workflow.getHandle(verificationWorkflowId(id));
  const regularActivityFailed = async () =>
    (await verification.describe()).raw.pendingActivities?.[0]?.lastFailure?.message;
  await expect.poll(regularActivityFailed, { timeout: 12_000, interval: 200 }).toBe('database_error');
  const during = await verification.describe();
  await harness.rows`alter table verifications drop constraint planted`;

  await created;
  await receiver.waitFor(2);
  await verification.result();
  const delivery = harness.temporal.workflow.getHandle(deliveryWorkflowId(await deliveryId(id)));
  await delivery.result();

  const everything = JSON.stringify([
    during.raw,
    ...(await Promise.all([verification, delivery].map((handle) => handle.describe()))).map(({ raw }) => raw),
    ...(await Promise.all(
      [verification, delivery].map(async (handle) => historyToJSON(await handle.fetchHistory())),
    )),
  ]);
  const decoded = everything.replaceAll(/"data":"([A-Za-z0-9+/=]+)"/g, (_, data) =>
    Buffer.from(data, 'base64').toString(),
  );
  expect(decoded).toContain(id);
  expect(decoded).toContain('sandbox verification by document_liveness');
  expect(decoded).not.toContain('"verificationId"');
  expect(decoded).toContain('database_error');
  for (const text of [everything, decoded]) {
    expect(text).not.toContain(marker);
    expect(text).not.toContain(marker.slice(-12));
    expect(text).not.toMatch(/whsec_|svc_test_|verify\.partner-test/);
  }
  await receiver.stop();
});

test('operators find a closed run by its status and its attempts, and its search attributes say nothing else', async () => {
  const { key, organisationId } = await harness.key({ org: 'Watched' });
  const receiver = await startReceiver({ status: 500 }, { status: 200 });
  await call(harness, 'POST', '/v1/webhooks', { key, body: { url: receiver.url } });
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body: { reference: marker } });
  const of = { OrgId: organisationId, Environment: 'sandbox', VerificationId: json.id };
  const verification = await closed(verificationWorkflowId(json.id));
  expect(verification).toEqual({
    ...of,
    SecretsKeyId: harness.ctx.secrets.newestKeyId,
    VerificationStatus: 'completed',
  });
  const delivery = await closed(deliveryWorkflowId(await deliveryId(json.id)));
  expect(delivery).toEqual({
    ...of,
    SecretsKeyId: harness.ctx.secrets.newestKeyId,
    DeliveryStatus: 'delivered',
    Attempt: 2,
  });
  const found = async (query: string) =>
    (await harness.temporal.workflow.count(`OrgId = '${organisationId}' AND ${query}`)).count;
  await expect
    .poll(() => found(`VerificationStatus = 'completed' AND ExecutionStatus = 'Completed'`))
    .toBe(1);
  await expect.poll(() => found(`DeliveryStatus = 'delivered' AND Attempt = 2`)).toBe(1);
  await receiver.stop();
});

/** The search attributes of a run that has ended, without those of the server. */
async function closed(workflowId: string): Promise<Record<string, unknown>> {
  const handle = harness.temporal.workflow.getHandle(workflowId);
  await handle.result();
  const { typedSearchAttributes } = await handle.describe();
  const pairs = typedSearchAttributes.getAll().map(({ key: { name }, value }) => [name, value] as const);
  return Object.fromEntries(pairs.filter(([name]) => !name.startsWith('Temporal') && name !== 'BuildIds'));
}

const idOf = async (rows: Promise<Record<string, unknown>[]>) => (await rows)[0]?.id;

async function verificationId(): Promise<string> {
  const find = () => idOf(harness.rows`select id from requests where idempotency_key = ${marker}`);
  await expect.poll(find).toBeDefined();
  return String(await find());
}

const deliveryId = async (id: string) =>
  String(
    await idOf(
      harness.rows`select d.id from deliveries d join events e on e.id = d.event_id where e.verification_id = ${id}`,
    ),
  );
