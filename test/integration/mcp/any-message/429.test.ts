import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { newApiKey } from '#platform/crypto/api-key.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { message, rpc } from '#test/support/people/agent.ts';

const harness = await startHarness({ worker: false, trustProxy: true });

test('beyond the limit is -32029 with HTTP 429 and Retry-After, whatever was sent', async () => {
  covers('7.2/-32029', '4.2/same-rate-limit');
  const { key } = await harness.key({ rateLimit: 1, grants: [] });
  expect((await rpc(harness, message('ping'), { key })).status).toBe(200);
  for (const rawBody of [JSON.stringify(message('tools/list')), '{broken', '[]']) {
    const { status, json, headers } = await rpc(harness, undefined, { key, rawBody });
    expect(status).toBe(429);
    expect(json.error).toMatchObject({ code: -32029, data: { code: 'rate_limit_exceeded' } });
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' });
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(limits.rateLimitWindowSeconds);
  }
});

test('both interfaces count on the one limit of the key', async () => {
  covers('8/agent-interface-shares-limit', '4.2/same-rate-limit');
  const { key } = await harness.key({ rateLimit: 4 });
  const remaining = (answer: { headers: Record<string, unknown> }) =>
    Number(answer.headers['x-ratelimit-remaining']);
  expect(remaining(await call(harness, 'GET', '/v1/verifications', { key }))).toBe(3);
  expect(remaining(await rpc(harness, message('ping'), { key }))).toBe(2);
  expect(remaining(await rpc(harness, { jsonrpc: '2.0', method: 'notifications/x' }, { key }))).toBe(1);
  expect(remaining(await call(harness, 'GET', '/v1/webhooks', { key }))).toBe(0);
  expect((await rpc(harness, message('ping'), { key })).status).toBe(429);
  expect((await call(harness, 'GET', '/v1/verifications', { key })).status).toBe(429);
});

test('invalid keys are counted by address, together with those sent to REST', async () => {
  covers('4.2/same-rate-limit');
  const headers = { 'x-forwarded-for': '198.51.100.7' };
  const rest = await call(harness, 'GET', '/v1/webhooks', { key: newApiKey('live'), headers });
  expect(rest.headers['x-ratelimit-limit']).toBe(String(limits.failedAuthenticationsPerMinute));
  const agent = await rpc(harness, message('ping'), { key: newApiKey('live'), headers });
  expect([agent.status, Number(agent.headers['x-ratelimit-remaining'])]).toEqual([
    401,
    Number(rest.headers['x-ratelimit-remaining']) - 1,
  ]);
});
