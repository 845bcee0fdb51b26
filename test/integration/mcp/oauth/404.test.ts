import { auth, registerClient } from '@modelcontextprotocol/sdk/client/auth.js';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';

const origin = 'https://app.partner-test.example';
const harness = await startHarness({ worker: false, mcpAllowedOrigins: [origin] });
const says = 'This service has no OAuth. Send an API key in the header Authorization: Bearer <API_KEY>.';

const probes = [
  ['GET', '/.well-known/oauth-protected-resource'],
  ['GET', '/.well-known/oauth-protected-resource/mcp'],
  ['GET', '/.well-known/oauth-authorization-server'],
  ['GET', '/.well-known/oauth-authorization-server/mcp'],
  ['GET', '/.well-known/openid-configuration'],
  ['GET', '/.well-known/openid-configuration/mcp'],
  ['GET', '/mcp/.well-known/openid-configuration'],
  ['POST', '/register'],
  ['GET', '/authorize?response_type=code'],
  ['POST', '/token'],
  ['POST', '/revoke'],
] as const;

test.each(probes)('%s %s is 404 with an error that clients of OAuth read', async (method, path) => {
  const { statusCode, headers, body } = await request(harness.url + path, {
    method,
    headers: { origin, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{"redirect_uris":["http://localhost:1/geheim"]}' }),
  });
  expect(statusCode).toBe(404);
  expect(headers['x-request-id']).toMatch(/^req_/);
  expect(headers['access-control-allow-origin']).toBe(origin);
  expect(await body.json()).toEqual({ error: 'invalid_request', error_description: says });
});

test.each(probes)('a page of a listed origin may ask before %s %s', async (method, path) => {
  const headers = { origin, 'access-control-request-method': method };
  const { statusCode, body } = await request(harness.url + path, { method: 'OPTIONS', headers });
  expect([statusCode, await body.text()]).toEqual([204, '']);
});

const metadata = { redirect_uris: ['http://localhost:1/'], client_name: 'a client' };

test('the library of the protocol tells its user that there is no OAuth, and how to sign in', async () => {
  await expect(registerClient(harness.url, { clientMetadata: metadata })).rejects.toThrow(says);
  const whole = auth(
    {
      redirectUrl: 'http://localhost:1/',
      clientMetadata: metadata,
      clientInformation: () => undefined,
      saveClientInformation: () => undefined,
      tokens: () => undefined,
      saveTokens: () => undefined,
      redirectToAuthorization: () => undefined,
      saveCodeVerifier: () => undefined,
      codeVerifier: () => '',
    },
    { serverUrl: `${harness.url}/mcp` },
  );
  await expect(whole).rejects.toThrow(says);
});
