import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { afterAll, expect, test, vi } from 'vitest';
import { callTool } from '#test/support/people/agent.ts';
import { startStackWith } from '../outages/stack.ts';
import { type Collected, startCollector } from './collector.ts';

/** Planted in every place where a caller, a receiver or a person can put text. */
const marker = 'kanarie';

const collector = await startCollector();
const stack = await startStackWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
afterAll(async () => {
  await stack.stop();
  await collector.stop();
});

const secretUrl = new URL(`${stack.receiver.url}/${marker}-path?token=${marker}-query`);
const { json: endpoint } = await stack.post('/v1/webhooks', {
  url: secretUrl.href,
  description: `${marker}-description`,
});

/** The names of a span and of the spans that caused it, up to the first. */
function lineageOf(span: Collected, spans: Collected[]): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  const name = `${span.service.replace('verification-service-', '')}: ${span.name}`;
  return parent === undefined ? [name] : [name, ...lineageOf(parent, spans)];
}

const ofTrace = ({ traceId }: Pick<Collected, 'traceId'>) =>
  collector.spans().filter((span) => span.traceId === traceId);

/** Returns the trace of the request with this id, after all spans that the test expects have arrived. */
async function traceOf(requestId: unknown, complete: (spans: Collected[]) => boolean): Promise<Collected[]> {
  let found: Collected[] = [];
  await vi.waitFor(
    () => {
      const root = collector.spans().find(({ attributes }) => attributes['request.id'] === requestId);
      found = root === undefined ? [] : ofTrace(root);
      expect(complete(found)).toBe(true);
    },
    { timeout: 30_000, interval: 200 },
  );
  return found;
}

const named = (spans: Collected[], name: string) => spans.filter((span) => span.name === name);

const foreign = {
  traceparent: '00-11111111111111111111111111111111-2222222222222222-01',
  tracestate: `a=${marker}-state`,
  'user-agent': `${marker}-agent`,
};
const send = (method: 'GET' | 'POST', path: string, body?: object) =>
  request(stack.url + path, {
    method,
    headers: {
      authorization: `Bearer ${stack.key}`,
      'content-type': 'application/json',
      'idempotency-key': `${marker}-key-${randomUUID()}`,
      ...foreign,
    },
    ...(body && { body: JSON.stringify(body) }),
  });

/** The first attempt leaves with its event. */
const answersBehind = [
  'api: POST /v1/verifications',
  'api: update create',
  'worker: recordVerification',
  'worker: POST webhook',
].reverse();

test('one trace leads from the create over the workflows to the POST of the webhook', async () => {
  const created = await send('POST', '/v1/verifications', { reference: `${marker}-reference` });
  expect(created.statusCode).toBe(201);
  const spans = await traceOf(created.headers['x-request-id'], (found) => {
    const posted = named(found, 'POST webhook');
    return (
      posted.length === 2 && posted.every((one) => lineageOf(one, found).length === answersBehind.length)
    );
  });
  for (const posted of named(spans, 'POST webhook')) expect(lineageOf(posted, spans)).toEqual(answersBehind);
  expect(named(spans, 'POST /v1/verifications')[0]?.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/v1/verifications',
    'http.response.status_code': 201,
  });
  const queriedBy = new Set(
    spans.filter(({ name }) => name.startsWith('pg.query')).map(({ service }) => service),
  );
  expect(queriedBy).toEqual(new Set(['verification-service-api', 'verification-service-worker']));
});

test('a completion by a later request goes on in the trace of that request', async () => {
  const { id } = (await stack.post('/v1/verifications', { sandbox: { auto_complete: false } })).json;
  const completed = await send('POST', `/v1/verifications/${id}/complete`, {});
  expect(completed.statusCode).toBe(200);
  const spans = await traceOf(completed.headers['x-request-id'], (found) =>
    named(found, 'POST webhook').some((one) => lineageOf(one, found).length === 4),
  );
  const [posted] = named(spans, 'POST webhook');
  expect(posted && lineageOf(posted, spans)).toEqual([
    'worker: POST webhook',
    'worker: recordVerdict',
    'api: update complete',
    'api: POST /v1/verifications/:id/complete',
  ]);
});

test('a call of a tool is a trace that names the tool', async () => {
  await callTool(stack, stack.key, 'health', {});
  await vi.waitFor(() => expect(named(collector.spans(), 'POST /mcp health')).toHaveLength(1), {
    timeout: 20_000,
  });
});

test('no exported byte holds what a caller sent, a token, a key, a secret or a url of a receiver', async () => {
  const { verify_url: link } = (await stack.post('/v1/verifications', { sandbox: { auto_complete: false } }))
    .json;
  const token = new URL(link).pathname.split('/').at(-1) ?? '';
  const visits = [
    await send('GET', `/verify/${token}`),
    await send('GET', `/v1/${marker}-unknown?q=${marker}-query`),
    await send('GET', `/v1/verifications?limit=${marker}-limit&reference=${marker}-filter`),
    await send('POST', '/v1/verifications', { [`${marker}-field`]: 1 }),
  ];
  expect(visits.map(({ statusCode }) => statusCode)).toEqual([200, 404, 422, 422]);
  for (const { headers } of visits) await traceOf(headers['x-request-id'], (found) => found.length > 0);

  stack.api.signal('SIGTERM');
  stack.worker.signal('SIGTERM');
  expect(await Promise.all([stack.api.exited, stack.worker.exited])).toEqual([0, 0]);
  const exported = collector.received.map(({ body }) => body).join('\n');
  expect(exported).toContain('/verify/:token');
  for (const secret of [marker, token, stack.key, endpoint.secret, foreign.traceparent.split('-')[1] ?? ''])
    expect(exported.includes(secret), secret.slice(0, 6)).toBe(false);
});

test('the last metrics are sent at the end, those of Temporal among them', () => {
  const api = collector.metrics('verification-service-api');
  expect([...api]).toEqual(expect.arrayContaining(['http.server.request.duration', 'process.cpu.time']));
  const worker = collector.metrics('verification-service-worker');
  expect([...worker]).toEqual(
    expect.arrayContaining(['webhook.attempts', 'temporal_workflow_task_schedule_to_start_latency_seconds']),
  );
});
