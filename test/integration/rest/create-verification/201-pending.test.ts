import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { createTemporalClient } from '#platform/temporal-client.ts';
import { lazyConnection } from '#platform/temporal-connection.ts';
import { createStartSweep } from '#services/flow/restart.ts';
import { callTool } from '#test/support/agent.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/person.ts';

/** A create that stays pending waits for no worker, and goes on while Temporal is away: the row is the truth. */

const namespace = 'default';
const harness = await startHarness({ worker: false });
const [sandbox, live] = [
  await harness.key({ org: 'Acme' }),
  await harness.key({ org: 'Acme', environment: 'live' }),
];
const pending = { reference: 'order 7', sandbox: { auto_complete: false } };

const create = (key: string, at = harness.url, body: object = pending, idempotencyKey?: string) =>
  call({ url: at }, 'POST', '/v1/verifications', {
    key,
    body,
    ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }),
  });

const runOf = async (id: string) => {
  const found = harness.temporal.workflow.getHandle(verificationWorkflowId(id)).describe();
  return found.then(
    ({ status }) => status.name,
    () => 'none',
  );
};
const dueSince = async (id: string) =>
  (
    await harness.rows<{ due: Date | null }>`select run_due_since as due from verifications where id = ${id}`
  )[0]?.due;
const linesOf = (id: string) =>
  harness.rows`select type, sequence from ledger where subject_id = ${id} order by sequence`;

/** A Temporal at an address where nobody listens. */
const nowhere = await lazyConnection(
  { address: '127.0.0.1:9', namespace, tls: undefined, apiKey: undefined },
  '127.0.0.1:9',
);
atTheEnd(() => nowhere.close());
const away = createTemporalClient(nowhere, { namespace, secrets: harness.ctx.secrets });

describe('without a worker', () => {
  test.each([
    ['live', live.key, {}],
    ['sandbox with auto_complete false', sandbox.key, pending],
  ])('a create is 201 and its run is asked for: %s', async (_, key, body) => {
    const idempotencyKey = randomUUID();
    const first = await create(key, harness.url, body, idempotencyKey);
    expect([first.status, first.json.status]).toEqual([201, 'pending']);
    await expect.poll(() => runOf(first.json.id)).toBe('RUNNING');

    const again = await create(key, harness.url, body, idempotencyKey);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    expect((await create(key, harness.url, { reference: 'other' }, idempotencyKey)).status).toBe(422);
    expect(await linesOf(first.json.id)).toEqual([{ type: 'verification.created', sequence: 1 }]);
    expect((await call(harness, 'GET', `/v1/verifications/${first.json.id}`, { key })).status).toBe(200);
  });

  test('an agent gets its verification too', async () => {
    const { id, status } = await callTool(harness, sandbox.key, 'start_verification', {
      auto_complete: false,
    });
    expect(status).toBe('pending');
    await expect.poll(() => runOf(id)).toBe('RUNNING');
  });

  test('twenty creates of one key and one moment are one verification', async () => {
    const idempotencyKey = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create(live.key, harness.url, {}, idempotencyKey)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await linesOf(answers[0]?.json.id)).toHaveLength(1);
  });

  test('a create that is to complete at once is not answered 201', async () => {
    expect((await create(sandbox.key, harness.url, {})).status).toBe(503);
  });
});

describe('while Temporal is away', () => {
  let url: string;
  beforeAll(async () => {
    url = (await harness.startApi({ temporal: away })).url;
  });

  test('a hundred creates at once are 201 and durable, and the sweep starts their runs', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => create(live.key, url, {})));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const ids = answers.map(({ json }) => json.id as string);
    expect(await Promise.all(ids.slice(0, 5).map(runOf))).toEqual(Array(5).fill('none'));
    const stored = await harness.rows`
      select 1 from verifications where id = any(${ids}) and run_due_since = created_at`;
    expect(stored).toHaveLength(100);

    await harness.rows`
      update verifications set run_due_since = now() - interval '3 min' where id = any(${ids})`;
    await harness.startWorker();
    const sweep = createStartSweep(harness.ctx);
    expect(await sweep(new AbortController().signal)).toEqual({ found: 100, failed: 0 });
    await expect.poll(async () => (await Promise.all(ids.map(dueSince))).filter(Boolean)).toEqual([]);
    expect(await Promise.all(ids.slice(0, 5).map(runOf))).toEqual(Array(5).fill('RUNNING'));
    expect(await sweep(new AbortController().signal)).toEqual({ found: 0, failed: 0 });
    await harness.stopWorker();
  });
});

describe('a verification whose run never started', () => {
  beforeAll(() => harness.startWorker());

  test.each([
    ['completion', 'POST', '/complete', 'completed'],
    ['cancellation', 'POST', '/cancel', 'pending'],
    ['fresh link', 'POST', '/link', 'pending'],
    ['erasure', 'POST', '/erase', 'pending'],
  ] as const)('takes a %s', async (_, method, command, status) => {
    const { json } = await create(sandbox.key);
    await harness.temporal.workflow.getHandle(verificationWorkflowId(json.id)).terminate('never started');
    const path = `/v1/verifications/${json.id}${command}`;
    const answer = await call(harness, method, path, { key: sandbox.key, body: {} });
    expect([answer.status, answer.json.status]).toEqual([200, status]);
  });

  test('takes its person, whose first step starts it', async () => {
    const { json } = await create(live.key, (await harness.startApi({ temporal: away })).url, {});
    expect(await runOf(json.id)).toBe('none');
    await person(harness, json.verify_url).start();
    expect(await runOf(json.id)).toBe('RUNNING');
    expect(await dueSince(json.id)).toBeNull();
  });
});
