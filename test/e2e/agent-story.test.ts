import { createHmac } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { startHarness } from '#test/support/harness.ts';
import { startReceiver } from '#test/support/people/receiver.ts';

const harness = await startHarness();
const receiver = await startReceiver({ status: 200 });
afterAll(() => receiver.stop());

test('an agent starts a verification, follows it to its verdict, and sees its webhook delivered', async () => {
  covers('1/agent-interface', '4.2/single-endpoint', '4.2/initialize', '4.2/tools-list', '4.2/tools-call');
  covers('4.2/get-verification', '4.2/get-verification-checks', '4.2/list-webhooks', '1/status-by-polling');
  const { key } = await harness.key({ org: 'Agents' });
  const client = new Client({ name: 'an agent', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  // The types of the SDK do not fit exactOptionalPropertyTypes.
  const transport = new StreamableHTTPClientTransport(new URL(`${harness.url}/mcp`), { requestInit });
  await client.connect(transport as Transport);
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects; a wrong shape fails its assertion
  const ask = async (name: string, given: Record<string, unknown> = {}): Promise<any> => {
    const { structuredContent, isError } = await client.callTool({ name, arguments: given });
    expect(isError, JSON.stringify(structuredContent)).toBe(false);
    return structuredContent;
  };

  expect(client.getServerVersion()?.name).toBe('verification-service');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('complete_verification');
  expect(await ask('health')).toMatchObject({ status: 'ok', environment: 'sandbox' });

  const { id, status, verify_url, next_step } = await ask('start_verification', {
    reference: 'klant-7',
    auto_complete: false,
  });
  expect(status).toBe('pending');
  expect(verify_url).toMatch(/^https:/);
  expect(next_step).toContain('get_verification');
  const { data } = await ask('list_verifications', { reference: 'klant-7' });
  expect(data).toEqual([
    { id, status: 'pending', method: 'document_liveness', outcome: null, created_at: expect.any(String) },
  ]);
  expect(await ask('get_verification', { verification_id: id })).toMatchObject({ id, verdict: null });

  const endpoint = await ask('create_webhook', { url: receiver.url, environment: 'sandbox' });
  await ask('complete_verification', { verification_id: id, scenario: 'review' });
  const { verdict } = await ask('get_verification', { verification_id: id });
  expect(verdict).toMatchObject({ outcome: 'review', reviewed: false });
  expect(verdict.checks).toContainEqual({ kind: 'face_match', result: 'doubt', confidence: 0.55 });

  const [event] = await receiver.waitFor(1);
  const [, timestamp, signature] =
    /^t=(\d+),v1=(\w+)$/.exec(event?.headers['x-service-signature'] ?? '') ?? [];
  const signed = createHmac('sha256', endpoint.secret).update(`${timestamp}.${event?.body}`).digest('hex');
  expect(signature).toBe(signed);
  expect(JSON.parse(String(event?.body)).data).toMatchObject({ verification_id: id, reference: 'klant-7' });
  await expect
    .poll(async () => (await ask('list_webhooks')).data[0], { timeout: 15_000 })
    .toMatchObject({
      id: endpoint.id,
      last_delivery: { status: 'delivered', attempts: 1, response_status: 200 },
    });
  await client.close();
});
