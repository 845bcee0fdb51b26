import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newApiKey } from '#platform/crypto/api-key.ts';
import { writeRequestLog } from '#store/request-log.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { makeKey, revoke } from '#test/support/rows/keys.ts';
import { awaitLines, linesOf, requestLine, requestLogAsText } from './support.ts';

const logged: string[] = [];
const harness = await startHarness({ logTo: { write: (line: string) => void logged.push(line) } });

test('each request with a good key is one line: who asked what, how it ended and how long it took', async () => {
  const { id: keyId, key, organisationId } = await harness.key({ org: 'Logged' });
  const startedAt = Date.now();
  const created = await call(harness, 'POST', '/v1/verifications', { key, body: { reference: 'private-1' } });
  const { id } = created.json;
  const answers = [
    created,
    await call(harness, 'GET', `/v1/verifications/${id}`, { key }),
    await call(harness, 'GET', '/v1/verifications?limit=17', { key }),
    await call(harness, 'GET', `/v1/verifications/${randomUUID()}`, { key }),
    await call(harness, 'POST', `/v1/verifications/${id}/complete`, { key }),
    await call(harness, 'POST', '/v1/verifications', { key, body: { method: 'private-2' } }),
    await call(harness, 'POST', '/v1/verifications', { key, rawBody: '{broken' }),
  ];
  const lines = await awaitLines(harness, keyId, answers.length);

  const one = (method: string, path: string, status: number, code: string | null) => ({
    method,
    path,
    status,
    code,
  });
  expect(lines.map(({ method, path, status, code }) => ({ method, path, status, code }))).toEqual([
    one('POST', '/v1/verifications', 201, null),
    one('GET', '/v1/verifications/:id', 200, null),
    one('GET', '/v1/verifications', 200, null),
    one('GET', '/v1/verifications/:id', 404, 'verification_not_found'),
    one('POST', '/v1/verifications/:id/complete', 409, 'already_completed'),
    one('POST', '/v1/verifications', 422, 'invalid_parameter'),
    one('POST', '/v1/verifications', 400, 'invalid_json'),
  ]);
  expect(lines.map(({ requestId }) => requestId)).toEqual(
    answers.map(({ headers }) => headers['x-request-id']),
  );
  for (const { orgId, environment, durationMs, createdAt } of lines) {
    expect({ orgId, environment }).toEqual({ orgId: organisationId, environment: 'sandbox' });
    expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(durationMs).toBeLessThan(20_000);
    expect(createdAt.getTime()).toBeGreaterThanOrEqual(startedAt - 1);
    expect(createdAt.getTime()).toBeLessThanOrEqual(Date.now());
  }
  expect(lines[0]?.durationMs).toBeGreaterThan(0);
  const everything = await requestLogAsText(harness);
  for (const carried of [id, 'private', 'limit', created.json.verify_url])
    expect(everything).not.toContain(carried);
});

test('a key without the scope, of live where sandbox is needed, or beyond its rate is good all the same', async () => {
  const reader = await harness.key({ grants: ['verify:read'] });
  const live = await harness.key({ environment: 'live' });
  const slow = await makeKey(harness.store, {
    organisation: 'Acme',
    environment: 'live',
    grants: ['verify:read'],
    rateLimit: 1,
  });
  await call(harness, 'POST', '/v1/verifications', { key: reader.key });
  await call(harness, 'POST', '/v1/verifications/x/complete', { key: live.key });
  await call(harness, 'GET', '/v1/verifications', { key: slow.key });
  await call(harness, 'GET', '/v1/verifications', { key: slow.key });
  const outcome = async (keyId: string, count: number) =>
    (await awaitLines(harness, keyId, count)).map(({ environment, status, code }) => [
      environment,
      status,
      code,
    ]);
  expect(await outcome(reader.id, 1)).toEqual([['sandbox', 403, 'insufficient_scope']]);
  expect(await outcome(live.id, 1)).toEqual([['live', 403, 'not_sandbox']]);
  expect(await outcome(slow.id, 2)).toEqual([
    ['live', 200, null],
    ['live', 429, 'rate_limit_exceeded'],
  ]);
});

test('a request without a good key has no line: 401, health, an unknown path, a page', async () => {
  const revoked = await harness.key();
  await revoke(harness.store, revoked.id);
  const good = await harness.key();
  const without = [
    await call(harness, 'GET', '/v1/verifications', { key: revoked.key }),
    await call(harness, 'GET', '/v1/verifications', { key: newApiKey('sandbox') }),
    await call(harness, 'GET', '/v1/verifications'),
    await call(harness, 'GET', '/v1/nowhere', { key: good.key }),
    await call(harness, 'GET', '/ready', { key: good.key }),
  ];
  await call(harness, 'GET', '/v1/health', { key: good.key });
  await call(harness, 'GET', '/verify/x', { key: good.key });
  const last = await call(harness, 'GET', '/v1/verifications', { key: good.key });
  const lines = await awaitLines(harness, good.id, 1);
  expect(lines.map(({ requestId }) => requestId)).toEqual([last.headers['x-request-id']]);
  const everything = await requestLogAsText(harness);
  for (const { headers } of without) expect(everything).not.toContain(String(headers['x-request-id']));
});

test('neither the log nor the request log holds any part of a key, good or bad', async () => {
  const [good, revoked, expired] = [
    await harness.key(),
    await harness.key(),
    await harness.key({ expiresAt: new Date(Date.now() - 1_000) }),
  ];
  await revoke(harness.store, revoked.id);
  const unknown = newApiKey('live');
  const keys = [good.key, revoked.key, expired.key, unknown];
  for (const key of keys) {
    await call(harness, 'GET', `/v1/verifications/${key}?key=${key}`, { key });
    await call(harness, 'POST', '/v1/verifications', {
      key,
      body: { [key]: key },
      headers: { 'idempotency-key': key },
    });
    await call(harness, 'GET', `/v1/${key}`, { key });
  }
  await awaitLines(harness, good.id, 2);
  const everything = logged.join('') + (await requestLogAsText(harness));
  expect(everything).toContain(good.id);
  for (const key of keys) {
    const secret = key.slice('svc_test_'.length);
    for (let at = 0; at + 8 <= secret.length; at++)
      expect(everything).not.toContain(secret.slice(at, at + 8));
  }
});

test('a batch that is written again, since its answer was lost, adds nothing', async () => {
  const { id: keyId, organisationId } = await harness.key();
  const of = { orgId: organisationId, keyId, createdAt: new Date() };
  const batch = ['req_a', 'req_b'].map((requestId) => requestLine({ ...of, requestId }));
  await writeRequestLog(harness.store.db, batch.slice(0, 1));
  await writeRequestLog(harness.store.db, batch);
  await writeRequestLog(harness.store.db, batch);
  expect(await linesOf(harness, keyId)).toEqual(batch);
});
