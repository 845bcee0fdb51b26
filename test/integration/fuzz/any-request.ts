import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import { keyedRoutes } from '#api/rest/routes.ts';
import type { KeyedRoute } from '#api/rest/row.ts';
import {
  deliveryStatuses,
  environments,
  grants,
  methods,
  scenarios,
  webhookEnvironments,
} from '#contract/enums.ts';
import { errors } from '#contract/errors.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { fc } from '#test/support/seed.ts';

/**
 * Sends requests that are nearly right to every route of the table. `call` checks each answer against the description. This file
 * checks that no answer is an error on our side. TEST_SEED=… tries other requests than the usual ones.
 */

const requestsAtOnce = 20;

const harness = await startHarness();
const keys = await Promise.all([
  ...environments.map((environment) => harness.key({ environment })),
  ...grants.map((grant) => harness.key({ grants: [grant], org: 'Other' })),
]);
const known = await idsOfOneOfEach();

async function idsOfOneOfEach() {
  const { key } = await harness.key();
  const url = 'https://hooks.example.com/kyc';
  const post = async (path: string, body?: object) => (await call(harness, 'POST', path, { key, body })).json;
  const pending = await post('/v1/verifications', { sandbox: { auto_complete: false } });
  const completed = await post('/v1/verifications');
  const webhook = await post('/v1/webhooks', { url });
  await post(`/v1/webhooks/${webhook.id}/test`);
  const { json } = await call(harness, 'GET', `/v1/webhooks/${webhook.id}/deliveries`, { key });
  return { verifications: [pending.id, completed.id], webhooks: [webhook.id], deliveries: [json.data[0].id] };
}

/** Texts that have broken some program before. */
const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\u0000',
      '\ud800',
      '__proto__',
      'constructor',
      'null',
      '0',
      '-1',
      '1e309',
      '../..',
      '%00',
      '%2e%2e',
    ],
    ...[
      "' or 1=1 --",
      '{{7*7}}',
      '<script>',
      '\r\nX-Evil: 1',
      '٣',
      '\u202e',
      '🙂'.repeat(200),
      'x'.repeat(201),
    ],
  ),
);
const oddValue = fc.oneof(oddText, fc.jsonValue({ maxDepth: 3 }));

const bodies: Record<string, fc.Arbitrary<Record<string, unknown>>> = {
  createVerification: fc.record(
    {
      method: fc.constantFrom(...methods),
      reference: fc.string({ maxLength: 200 }),
      sandbox: fc.record(
        { scenario: fc.constantFrom(...scenarios), auto_complete: fc.boolean() },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  ),
  completeVerification: fc.record({ scenario: fc.constantFrom(...scenarios) }, { requiredKeys: [] }),
  createWebhook: fc.record(
    {
      url: fc.webUrl({ validSchemes: ['https', 'http'], withFragments: true, withQueryParameters: true }),
      description: fc.string({ maxLength: 200 }),
      event_types: fc.array(fc.constantFrom('verification.completed', 'verification.reviewed'), {
        minLength: 1,
      }),
      environment: fc.constantFrom(...webhookEnvironments),
    },
    { requiredKeys: ['url'] },
  ),
  rotateWebhookSecret: fc.record({ overlap_hours: fc.nat(168) }, { requiredKeys: [] }),
};

/** Changes or adds one field at most, or replaces the value. A request with two faults would be refused for the first fault. */
const nearly = (value: fc.Arbitrary<Record<string, unknown>>) =>
  fc.oneof(
    { weight: 1, arbitrary: value },
    {
      weight: 3,
      arbitrary: fc
        .tuple(value, fc.nat(), oddValue)
        .map(([object, place, odd]) => ({ ...object, [Object.keys(object)[place % 5] ?? 'extra']: odd })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(value, oddText, oddValue)
        .map(([object, name, odd]) => ({ ...object, [name]: odd })),
    },
    { weight: 1, arbitrary: oddValue },
  );

const bytesOf = (operation: string) =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: nearly(bodies[operation] ?? fc.constant({})).map((value) => JSON.stringify(value)),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '{', '[]', 'null', '"x"', '{"a":'.repeat(2_000), ' '.repeat(66_000)),
    },
  );

/** Mostly an existing id of the wanted kind. */
const idOf = (kind: keyof typeof known) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...known[kind]) },
    { weight: 1, arbitrary: fc.constantFrom(...Object.values(known).flat()) },
    { weight: 1, arbitrary: fc.constant(randomUUID()) },
    { weight: 2, arbitrary: oddText.map((text) => encodeURIComponent(text.toWellFormed())) },
  );
const query = fc
  .dictionary(
    fc.oneof(fc.constantFrom('limit', 'starting_after', 'status'), oddText),
    fc.oneof(fc.nat(120).map(String), idOf('verifications'), oddText, fc.constantFrom(...deliveryStatuses)),
    {
      maxKeys: 3,
    },
  )
  .map((pairs) => new URLSearchParams(Object.entries(pairs)).toString());

const printable = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
});
const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'a/b; charset=x',
    ),
    'content-encoding': fc.constantFrom('identity', 'gzip'),
    'idempotency-key': fc.oneof(fc.constantFrom('one', 'two', 'three'), printable),
    accept: fc.constantFrom('*/*', 'text/html', 'application/xml;q=0'),
    'x-forwarded-for': printable,
    'x-http-method-override': fc.constantFrom('DELETE', 'PUT'),
  },
  { requiredKeys: [] },
);

const anyRequest = fc.constantFrom(...keyedRoutes).chain((row) =>
  fc.record({
    row: fc.constant(row),
    id: idOf(row.path.startsWith('/webhooks') ? 'webhooks' : 'verifications'),
    deliveryId: idOf('deliveries'),
    query: fc.oneof({ weight: 2, arbitrary: fc.constant('') }, { weight: 1, arbitrary: query }),
    key: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...keys.map(({ key }) => key)) },
      { weight: 1, arbitrary: printable },
    ),
    headers,
    bytes: bytesOf(row.operation),
  }),
);
type AnyRequest = {
  row: KeyedRoute;
  id: string;
  deliveryId: string;
  query: string;
  key: string;
  headers: object;
  bytes: string | Buffer;
};

async function send({ row, id, deliveryId, query, key, headers, bytes }: AnyRequest) {
  const pathOf = row.path.replace(':id', id || 'x').replace(':delivery_id', deliveryId || 'x');
  const path = `/v1${pathOf}${query && `?${query}`}`;
  const carried = row.method === 'POST' ? { rawBody: bytes } : {};
  return call(harness, row.method, path, { key, headers: { ...headers }, ...carried });
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const growthBytesMax = 24 * 1024 * 1024;

/** A thousand requests must reach these codes. If they do not, the requests are too wrong or not wrong enough. */
export const commonCodes = [
  'success',
  'invalid_json',
  'invalid_parameter',
  'invalid_url',
  'invalid_cursor',
  'insufficient_scope',
];
/** These codes need many more requests, since a request must be right in all but one thing. */
export const rareCodes = [
  'not_sandbox',
  'delivery_not_found',
  'verification_not_found',
  'webhook_not_found',
  'body_too_large',
  'already_completed',
  'unsupported_media_type',
  'invalid_api_key',
  'idempotency_key_reused',
];

type Run = { batches: number; reached: readonly string[] };

/**
 * Sends this many batches of requests. No answer may be an error on our side. The codes in `reached` must occur, and memory must
 * stay nearly constant.
 */
export async function expectDocumentedAnswers({ batches, reached }: Run): Promise<void> {
  covers('7.1/json', '7.1/request-id', '2/json-bodies');
  const seen = new Map<string, number>();
  const heaps: number[] = [];
  const batch = fc.array(anyRequest, { minLength: requestsAtOnce, maxLength: requestsAtOnce });
  const property = fc.asyncProperty(batch, async (requests) => {
    for (const answer of await Promise.all(requests.map(send))) {
      expect(answer.status).toBeLessThan(500);
      const code = answer.json?.error?.code ?? 'success';
      seen.set(code, (seen.get(code) ?? 0) + 1);
    }
    heaps.push(heapBytes());
  });
  await fc.assert(property, { numRuns: batches, endOnFailure: true });

  expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(batches * requestsAtOnce);
  expect([...seen.keys()]).toEqual(expect.arrayContaining([...reached]));
  for (const code of seen.keys()) if (code !== 'success') expect(errors).toHaveProperty(code);

  const warm = Math.min(...heaps.slice(batches / 5, batches / 5 + 10));
  expect(Math.min(...heaps.slice(-10)) - warm).toBeLessThan(growthBytesMax);
}
