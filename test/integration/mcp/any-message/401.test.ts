import { expect, test } from 'vitest';
import { newApiKey } from '#platform/crypto/api-key.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { initialize, message, rpc } from '#test/support/people/agent.ts';

const harness = await startHarness({ worker: false });

const revoked = async () => {
  const { key, id } = await harness.key();
  await harness.rows`update api_keys set revoked_at = now() where id = ${id}`;
  return key;
};
const keys: [string, string, () => Promise<string | undefined>][] = [
  ['no', 'missing_api_key', async () => undefined],
  ['a malformed', 'invalid_api_key', async () => 'svc_test_'],
  ['an unknown', 'invalid_api_key', async () => newApiKey('live')],
  ['a revoked', 'invalid_api_key', revoked],
  ['an expired', 'expired_api_key', async () => (await harness.key({ expiresAt: new Date(1) })).key],
];

test.each(keys)('%s key is -32001 with HTTP 401, and no tool is named', async (_, code, keyOf) => {
  covers('7.2/-32001', '4.2/no-tools-without-key');
  const key = await keyOf();
  for (const body of [
    message('tools/list'),
    initialize(),
    message('ping'),
    message('tools/call', { name: 'health' }),
  ]) {
    const { status, json, headers, text } = await rpc(harness, body, { key });
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer');
    expect(json).toMatchObject({ id: 7, error: { code: -32001, data: { code } } });
    expect(text).not.toContain('start_verification');
  }
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  expect((await rpc(harness, notification, { key })).status).toBe(401);
});

test('the key of REST is the key here, with its organisation, environment and scopes', async () => {
  covers('4.2/same-key', '5/agent-interface-same-keys');
  const { key } = await harness.key({ org: 'Both', environment: 'live', grants: ['verify:read'] });
  expect((await call(harness, 'GET', '/v1/verifications', { key })).status).toBe(200);
  const { json } = await rpc(harness, message('tools/call', { name: 'health' }), { key });
  expect(json.result.structuredContent).toMatchObject({ environment: 'live', scopes: ['verify:read'] });
});
