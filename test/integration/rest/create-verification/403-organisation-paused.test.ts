import { beforeAll, expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { callTool } from '#test/support/people/agent.ts';
import { createsBecome } from '#test/support/people/creates.ts';

const harness = await startHarness();
const otherProcess = await harness.startApi();
const live = await harness.key({ org: 'Paused', environment: 'live' });
const sandbox = await harness.key({ org: 'Paused' });
const neighbour = await harness.key({ org: 'Neighbour' });

const create = (key: string, { at = harness.url, idempotencyKey = '', body = {} } = {}) =>
  call({ url: at }, 'POST', '/v1/verifications', {
    ...{ key, body },
    ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }),
  });
const asLive = { method: 'document_only' };

let before: Awaited<ReturnType<typeof create>>;
beforeAll(async () => {
  before = await create(live.key, { idempotencyKey: 'before', body: asLive });
  expect(before.status).toBe(201);
  await create(live.key, { at: otherProcess.url, body: asLive });
  await harness.settings({ paused: true }, 'Paused');
});

test('creates are refused in every process within five seconds, in live and sandbox, and nothing was begun', async () => {
  await createsBecome([harness, otherProcess], { key: live.key, body: asLive }, 'organisation_paused');
  const refused = await create(sandbox.key, { idempotencyKey: 'refused' });
  expect([refused.status, refused.json.error.code]).toEqual([403, 'organisation_paused']);
  expect(await harness.rows`select 1 from requests where idempotency_key = 'refused'`).toEqual([]);
});

test('a repetition of a create from before gets its answer, byte for byte', async () => {
  const again = await create(live.key, { idempotencyKey: 'before', body: asLive });
  expect([again.status, again.text]).toEqual([201, before.text]);
});

test('what is open goes on: it is read and changed', async () => {
  const path = `/v1/verifications/${before.json.id}`;
  expect((await call(harness, 'GET', path, { key: live.key })).status).toBe(200);
  expect((await call(harness, 'POST', `${path}/link`, { key: live.key })).status).toBe(200);
});

test('an agent gets isError with the same code', async () => {
  const { isError, error } = await callTool(harness, sandbox.key, 'start_verification');
  expect([isError, error.code]).toEqual([true, 'organisation_paused']);
});

test('another organisation notices nothing, and after the pause creates are accepted again', async () => {
  expect((await create(neighbour.key)).status).toBe(201);
  await harness.settings({ paused: false }, 'Paused');
  await createsBecome([harness, otherProcess], { key: sandbox.key }, 'accepted');
});
