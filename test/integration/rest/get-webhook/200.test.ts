import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });

test('an endpoint reads as it was created, to both environments, and never again with its secret', async () => {
  covers('4.1/webhook-get', '2.4/secret-once');
  const sandbox = await harness.key();
  const live = await harness.key({ environment: 'live' });
  const body = { url: 'https://hooks.example.com/kyc', description: 'één', environment: 'live' };
  const { secret, ...shown } = (await call(harness, 'POST', '/v1/webhooks', { key: sandbox.key, body })).json;
  expect(secret).toMatch(/^whsec_/);
  for (const { key } of [sandbox, live]) {
    const { status, json, text } = await call(harness, 'GET', `/v1/webhooks/${shown.id}`, { key });
    expect(status).toBe(200);
    expect(json).toEqual(shown);
    expect(text).not.toContain('whsec_');
  }
});
