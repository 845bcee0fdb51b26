import { expect, test } from 'vitest';
import { newApiKey } from '#platform/crypto/api-key.ts';
import { Unavailable } from '#platform/failures.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { message, rpc } from '#test/support/people/agent.ts';
import { startReceiver } from '#test/support/people/receiver.ts';
import { exchange, head } from './transport.ts';

/**
 * Plants a marker in the places where a caller, an agent, a person or a receiver can put text, and causes many refusals. The log
 * has the level `trace`, and no line may contain a marker. At the end of the run, the logs of all other tests are searched too.
 */

const marker = 'kanarie';
const marked = (place: string) => `${marker}-${place}`;

test('no line of the log holds anything that somebody sent', async () => {
  const lines: string[] = [];
  const harness = await startHarness({
    logTo: { write: (line) => void lines.push(line) },
    retryWaitsMs: [10, 10],
    mcpAllowedOrigins: [`https://${marked('origin')}.example`],
  });
  const receiver = await startReceiver(
    { status: 500, headers: { 'x-any': marked('receiver-header'), server: marked('receiver-server') } },
    { status: 302, headers: { location: `https://hooks.partner.example/?${marked('location')}` } },
    { status: 200, headers: { 'set-cookie': marked('receiver-cookie') } },
  );
  const secrets = [marker];
  try {
    const { key } = await harness.key({ org: marked('organisation') });
    const stranger = newApiKey('live');
    secrets.push(key.slice(9), stranger.slice(9));
    const headers = {
      'user-agent': marked('user-agent'),
      cookie: `session=${marked('cookie')}`,
      referer: `https://partner.example/${marked('referer')}`,
      'x-forwarded-for': marked('forwarded'),
      'x-request-id': marked('request-id'),
      traceparent: marked('traceparent'),
    };
    let requests = 0;
    const post = (path: string, body: unknown, more = {}) =>
      call(harness, 'POST', path, {
        key,
        body,
        headers: { ...headers, 'idempotency-key': marked(`key-${requests++}`), ...more },
      });

    const { json: webhook } = await post('/v1/webhooks', {
      url: `${receiver.url}/${marked('path')}?token=${marked('query')}`,
      description: marked('description'),
    });
    const created = await post('/v1/verifications', { reference: marked('reference') });
    expect(created.status).toBe(201);
    await receiver.waitFor(3);
    const token = new URL(created.json.verify_url).pathname.split('/').at(-1) ?? '';
    secrets.push(token, webhook.secret.slice(6));
    const { json: rotated } = await post(`/v1/webhooks/${webhook.id}/rotate-secret`, {});
    secrets.push(rotated.secret.slice(6));

    const statuses = [
      (await call(harness, 'GET', `/verify/${token}?${marked('link-query')}`)).status,
      (await call(harness, 'GET', `/verify/${marked('token')}`)).status,
      (await call(harness, 'GET', `/v1/${marked('unknown-path')}?key=${key}`)).status,
      (await call(harness, 'GET', `/v1/verifications/${marked('id')}`, { key, headers })).status,
      (await call(harness, 'GET', `/v1/verifications?starting_after=${marked('cursor')}`, { key })).status,
      (await call(harness, 'GET', '/v1/verifications', { key: stranger })).status,
      (await call(harness, 'GET', '/v1/verifications', { headers: { authorization: marked('basic') } }))
        .status,
      (await post('/v1/verifications', { [marked('field')]: 1 })).status,
      (await post('/v1/verifications', { method: marked('method') })).status,
      (
        await post(
          '/v1/verifications',
          { reference: marked('another') },
          { 'idempotency-key': marked('key-1') },
        )
      ).status,
      (await post('/v1/webhooks', { url: `http://${marked('host')}.example` })).status,
      (await post('/v1/webhooks', { url: 1 }, { 'content-type': marked('type') })).status,
      (await call(harness, 'POST', '/v1/webhooks', { key, rawBody: `{"${marked('broken')}` })).status,
      (await call(harness, 'POST', '/v1/webhooks', { key, rawBody: marker.repeat(10_000) })).status,
    ];
    expect(statuses).toEqual([200, 404, 404, 404, 422, 401, 401, 422, 422, 422, 422, 415, 400, 413]);

    const agent = { key, headers: { ...headers, origin: `https://${marked('origin')}.example` } };
    for (const body of [
      message(marked('rpc-method')),
      message('tools/call', { name: marked('tool'), arguments: {} }),
      message('tools/call', {
        name: 'start_verification',
        arguments: { reference: marked('agent-reference') },
      }),
      message('tools/call', { name: 'start_verification', arguments: { [marked('argument')]: 1 } }),
      message('initialize', {
        protocolVersion: marked('version'),
        capabilities: {},
        clientInfo: { name: marked('client'), version: '1' },
      }),
      message('ping', {}, marked('rpc-id')),
    ])
      expect((await rpc(harness, body, agent)).status).toBe(200);
    await rpc(harness, message('ping'), {
      key,
      headers: { origin: `https://evil-${marked('origin')}.example` },
    });

    const port = Number(new URL(harness.url).port);
    const raw = [
      `${marked('garbage')}\r\n\r\n`,
      head({ target: `/${marked('raw')}#${marked('fragment')}`, host: `Host: ${marked('host')}`, key }),
      head({ method: 'CONNECT', target: `${marked('connect')}:443` }),
      head({ headers: [`X-Long: ${marker.repeat(4_000)}`] }),
    ];
    for (const bytes of raw) expect(await exchange(port, bytes)).toHaveLength(1);

    const failing = {
      ...harness.ctx.temporal,
      openVerification: () =>
        Promise.reject(
          new Error(marked('fault'), { cause: new Unavailable('temporal', new Error(marked('cause'))) }),
        ),
    };
    const broken = await harness.startApi({ temporal: failing });
    const answer = await call(broken, 'POST', '/v1/verifications', {
      key,
      body: { reference: marked('failing') },
    });
    expect(answer.status).toBe(503);
    await broken.stop();
  } finally {
    await harness.stopApi();
    await harness.stopWorker();
  }

  const log = lines.join('');
  expect(lines.length).toBeGreaterThan(25);
  for (const part of ['"route":"/v1/verifications"', '"route":"/verify/:token"', 'tools/call', '"level":50'])
    expect(log).toContain(part);
  for (const [at, secret] of secrets.entries())
    expect({ at, line: lines.find((line) => line.includes(secret)) }).toEqual({ at, line: undefined });
});
