import { expect, test } from 'vitest';
import { toolsOf } from '#api/mcp/tools.ts';
import { grants } from '#contract/enums.ts';
import { covers } from '#test/requirements.ts';
import { startHarness } from '#test/support/harness.ts';
import { message, rpc } from '#test/support/people/agent.ts';

const listed = 'https://app.partner-test.example';
const harness = await startHarness({ worker: false, mcpAllowedOrigins: [listed] });
const { key } = await harness.key();

const needed = {
  start_verification: 'verify:create',
  get_verification: 'verify:read',
  list_verifications: 'verify:read',
  complete_verification: 'verify:create',
  create_webhook: 'webhooks:manage',
  list_webhooks: 'webhooks:manage',
} as const;

test('every tool but health is named here with its scope', () => {
  expect([...toolsOf.sandbox.keys()].sort()).toEqual(['health', ...Object.keys(needed)].sort());
});

test.each(Object.entries(needed))('%s without %s is -32003 with HTTP 403', async (name, scope) => {
  covers('7.2/-32003', '4.2/start-verification-scope', '4.2/get-verification-scope');
  covers('4.2/list-verifications-scope', '4.2/complete-verification-scope');
  covers('4.2/create-webhook-scope', '4.2/list-webhooks-scope', '4.2/same-key');
  const { key } = await harness.key({ grants: grants.filter((grant) => grant !== scope) });
  const { status, json, headers } = await rpc(harness, message('tools/call', { name, arguments: { a: 1 } }), {
    key,
  });
  expect(status).toBe(403);
  expect(json).toMatchObject({ id: 7, error: { code: -32003, data: { code: 'insufficient_scope' } } });
  expect(headers['www-authenticate']).toBe(`Bearer error="insufficient_scope", scope="${scope}"`);
});

test.each(Object.entries(needed))('%s needs %s and no other', async (name, scope) => {
  const { key } = await harness.key({ grants: [scope] });
  const { status, json } = await rpc(harness, message('tools/call', { name, arguments: { a: 1 } }), { key });
  expect(status).toBe(200);
  expect(json.result.structuredContent.error.code).toBe('invalid_parameter');
});

test('health needs no scope', async () => {
  covers('4.2/health');
  const { key } = await harness.key({ grants: [] });
  const { json } = await rpc(harness, message('tools/call', { name: 'health' }), { key });
  expect(json.result.structuredContent.scopes).toEqual([]);
});

test.each([
  'https://evil.example',
  'null',
  `${listed}.evil.example`,
  listed.toUpperCase(),
  'http://localhost:3000',
])('a page of %s is refused before its key is looked at', async (origin) => {
  for (const itsKey of [key, undefined]) {
    const { status, json, headers } = await rpc(harness, message('ping'), {
      key: itsKey,
      headers: { origin },
    });
    expect(status).toBe(403);
    expect(json.error.data.code).toBe('origin_not_allowed');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  }
});

test('without a list no page may call', async () => {
  const closed = await harness.startApi({ mcpAllowedOrigins: [] });
  const { status } = await rpc(closed, message('ping'), { key, headers: { origin: listed } });
  expect(status).toBe(403);
  await closed.stop();
});
