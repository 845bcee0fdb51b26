import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { temporalNowhere } from '#test/support/nowhere.ts';
import { callTool } from '#test/support/people/agent.ts';
import { person } from '#test/support/people/person.ts';
import { runStatusOrNone } from '#test/support/rows/runs.ts';
import { expectStartedLater } from './started-later.ts';

/** A create that stays pending waits for no worker, and goes on while Temporal is away: the row is the truth. */

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

const run = (id: string) => runStatusOrNone(harness, id);
const dueSince = async (id: string) =>
  (
    await harness.rows<{ due: Date | null }>`select run_due_since as due from verifications where id = ${id}`
  )[0]?.due;
const linesOf = (id: string) =>
  harness.rows`select type, sequence from ledger where subject_id = ${id} order by sequence`;

const away = await temporalNowhere(harness);

describe('without a worker', () => {
  test.each([
    ['live', live.key, {}],
    ['sandbox with auto_complete false', sandbox.key, pending],
  ])('a create is 201 and its run is asked for: %s', async (_, key, body) => {
    const idempotencyKey = randomUUID();
    const first = await create(key, harness.url, body, idempotencyKey);
    expect([first.status, first.json.status]).toEqual([201, 'pending']);
    await expect.poll(() => run(first.json.id)).toBe('RUNNING');

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
    await expect.poll(() => run(id)).toBe('RUNNING');
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
});

describe('while Temporal is away', () => {
  let url: string;
  beforeAll(async () => {
    url = (await harness.startApi({ temporal: away })).url;
  });

  test('twenty creates at once are 201 and durable, and the sweep starts their runs', () =>
    expectStartedLater({ harness, url, key: live.key, count: 20 }));
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
    expect(await run(json.id)).toBe('none');
    await person(harness, json.verify_url).start();
    expect(await run(json.id)).toBe('RUNNING');
    expect(await dueSince(json.id)).toBeNull();
  });
});
