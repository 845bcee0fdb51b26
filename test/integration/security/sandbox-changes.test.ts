import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { callTool } from '#test/support/people/agent.ts';
import { joins } from '#test/support/people/console.ts';

const logged: string[] = [];
const harness = await startHarness({
  worker: false,
  logTo: { write: (line: string) => void logged.push(line) },
});
const sandbox = await harness.key();
const live = await harness.key({ environment: 'live' });

const warnings = () =>
  logged
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'a sandbox key changed an endpoint that gets live events')
    .map(({ level, webhook_id, key_id, org_id, change }) => ({ level, webhook_id, key_id, org_id, change }));

async function changeAll(key: string, environment: string): Promise<string> {
  const url = 'https://hooks.example.com/kyc';
  const { json } = await call(harness, 'POST', '/v1/webhooks', { key, body: { url, environment } });
  await call(harness, 'POST', `/v1/webhooks/${json.id}/rotate-secret`, { key, body: {} });
  await call(harness, 'DELETE', `/v1/webhooks/${json.id}`, { key });
  await call(harness, 'DELETE', `/v1/webhooks/${json.id}`, { key });
  return json.id;
}

test.each(['all', 'live'])(
  'each change by a sandbox key of an endpoint for %s is a warning in the log',
  async (of) => {
    logged.length = 0;
    const id = await changeAll(sandbox.key, of);
    expect(warnings()).toEqual(
      ['webhook.created', 'webhook.secret_rotated', 'webhook.deactivated'].map((change) => ({
        ...{ level: 40, webhook_id: id, change },
        ...{ key_id: sandbox.id, org_id: sandbox.organisationId },
      })),
    );
  },
);

test('a registration by an agent with a sandbox key is one too', async () => {
  logged.length = 0;
  await callTool(harness, sandbox.key, 'create_webhook', { url: 'https://hooks.example.com/agent' });
  expect(warnings()).toMatchObject([{ key_id: sandbox.id, change: 'webhook.created' }]);
});

test('a change of a sandbox endpoint, or by a live key, is none', async () => {
  logged.length = 0;
  await changeAll(sandbox.key, 'sandbox');
  await changeAll(live.key, 'all');
  expect(warnings()).toEqual([]);
});

test('the page of the endpoint in the console says so', async () => {
  const org = 'Noted';
  const { url } = await harness.startConsole();
  const [ofSandbox, ofLive] = [await harness.key({ org }), await harness.key({ org, environment: 'live' })];
  const { visitor } = await joins(harness, url, { org, role: 'developer' });
  const added = async (key: string, environment: string) => {
    const body = { url: 'https://hooks.example.com/kyc', environment };
    const { json } = await call(harness, 'POST', '/v1/webhooks', { key, body });
    return `/webhooks/${json.id}`;
  };
  const note = 'a sandbox key changed it';
  expect((await visitor.get(await added(ofSandbox.key, 'all'))).html).toContain(note);
  expect((await visitor.get(await added(ofSandbox.key, 'sandbox'))).html).not.toContain(note);
  expect((await visitor.get(await added(ofLive.key, 'all'))).html).not.toContain(note);
});
