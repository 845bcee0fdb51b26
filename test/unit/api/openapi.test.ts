import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errorsOf } from '#api/rest/errors-of.ts';
import { routes } from '#api/rest/routes.ts';
import { errors } from '#contract/errors.ts';
import { subscribableTypes } from '#contract/events.ts';
import { limits } from '#contract/limits.ts';
import { covers } from '#test/requirements.ts';
import { description, validatorOf } from '#test/support/documents/described.ts';

const pinned = JSON.parse(readFileSync(new URL('../../pins/openapi.json', import.meta.url), 'utf8'));
const described = JSON.parse(JSON.stringify(description));

test('the description is the one that is pinned; a change that is meant is pinned by npm run openapi', () => {
  expect(described).toEqual(pinned);
});

test('it is of OpenAPI 3.1 and of version 1.0.0, under /v1', () => {
  covers('9/description-version', '9/path-prefix');
  expect(described).toMatchObject({
    openapi: expect.stringMatching(/^3\.1\./),
    info: { version: '1.0.0', license: { identifier: 'Apache-2.0' } },
    servers: [{ url: '/v1' }],
  });
});

test('it has every row of the table and nothing besides', () => {
  const rows = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  const operations = Object.entries<object>(described.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operations.sort()).toEqual(rows.sort());
});

const row = (operation: string) => {
  const found = routes.find((each) => each.operation === operation);
  if (found === undefined) throw new Error(`no row ${operation}`);
  return found;
};

/** Returns the operation of this path and method from the description. References in its responses are resolved. */
// biome-ignore lint/suspicious/noExplicitAny: parts of the description are read by name
function operation(path: string, method: string): any {
  const found = described.paths[path][method];
  const follow = ([status, response]: [string, { $ref?: string }]) => [
    status,
    response.$ref === undefined
      ? response
      : described.components.responses[response.$ref.split('/')[3] ?? ''],
  ];
  return { ...found, responses: Object.fromEntries(Object.entries<object>(found.responses).map(follow)) };
}

describe('the errors of an operation', () => {
  test('are none for health', () => {
    covers('4.1/health');
    expect(errorsOf(row('getHealth'))).toEqual([]);
  });

  test.each([
    [
      'createVerification',
      ['invalid_json', 'invalid_parameter', 'idempotency_key_reused', 'method_not_available'],
      ['not_sandbox', 'invalid_cursor'],
    ],
    [
      'listVerifications',
      ['invalid_parameter', 'invalid_cursor'],
      ['invalid_json', 'idempotency_key_reused'],
    ],
    ['getVerification', ['verification_not_found'], ['invalid_parameter', 'unsupported_media_type']],
    [
      'completeVerification',
      ['not_sandbox', 'already_completed', 'verification_not_found'],
      ['invalid_cursor'],
    ],
    ['createWebhook', ['invalid_url', 'too_many_webhooks', 'body_too_large'], ['idempotency_key_reused']],
    ['deleteWebhook', ['webhook_not_found'], ['verification_not_found', 'invalid_parameter']],
    ['testWebhook', ['webhook_not_found', 'webhook_inactive', 'idempotency_key_reused'], ['invalid_cursor']],
    [
      'resendWebhookDelivery',
      ['webhook_not_found', 'delivery_not_found', 'webhook_inactive', 'event_expired'],
      ['verification_not_found'],
    ],
  ] as const)('of %s follow from its row', (name, has, lacks) => {
    const codes = errorsOf(row(name));
    expect(codes).toEqual(expect.arrayContaining([...has]));
    expect(codes.filter((code) => (lacks as readonly string[]).includes(code))).toEqual([]);
    for (const code of [
      'missing_api_key',
      'insufficient_scope',
      'rate_limit_exceeded',
      'service_unavailable',
    ])
      expect(codes).toContain(code);
  });

  test('are described with just their codes, an example for each, and the headers of their status', () => {
    const { responses } = operation('/verifications/{id}/complete', 'post');
    const { error } = responses[403].content['application/json'].schema.properties;
    expect(error.properties.code.enum).toEqual(['insufficient_scope', 'not_sandbox']);
    expect(error.properties.type.enum).toEqual(['authentication_error', 'invalid_request_error']);
    expect(Object.keys(responses[403].content['application/json'].examples)).toEqual([
      'insufficient_scope',
      'not_sandbox',
    ]);
    expect(Object.keys(responses[401].headers)).toContain('WWW-Authenticate');
    for (const status of [429, 503]) expect(Object.keys(responses[status].headers)).toContain('Retry-After');
    for (const status of Object.keys(responses)) {
      expect(Object.keys(responses[status].headers)).toEqual(
        expect.arrayContaining(['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining']),
      );
    }
  });

  test('stand under their own status everywhere', () => {
    for (const { path, method, ...rest } of routes) {
      const { responses } = operation(path.replaceAll(/:(\w+)/g, '{$1}'), method.toLowerCase());
      for (const code of errorsOf({ path, method, ...rest } as (typeof routes)[number]))
        expect(
          responses[errors[code].status].content['application/json'].schema.properties.error.properties.code
            .enum,
        ).toContain(code);
    }
  });
});

test('requests are described with the limits that are enforced', () => {
  const { CreateVerification, CreateWebhook } = described.components.schemas;
  expect(CreateVerification.properties.reference.maxLength).toBe(limits.referenceLengthMax);
  expect(CreateWebhook.properties.description.maxLength).toBe(limits.webhookDescriptionLengthMax);
  expect(operation('/verifications', 'get').parameters).toContainEqual({
    in: 'query',
    name: 'limit',
    schema: expect.objectContaining({ type: 'integer', minimum: 1, maximum: 100, default: 20 }),
    description: expect.any(String),
  });
  expect(operation('/verifications', 'post').requestBody.required).toBe(false);
  expect(operation('/webhooks', 'post').requestBody.required).toBe(true);
});

/** Returns all schemas of objects that list their properties, at any depth. */
// biome-ignore lint/suspicious/noExplicitAny: parts of the description are read by name
function objectsIn(part: any): { properties: object; additionalProperties?: boolean }[] {
  if (typeof part !== 'object' || part === null) return [];
  const own = part.type === 'object' && part.properties !== undefined ? [part] : [];
  return [...own, ...Object.values(part).flatMap(objectsIn)];
}

test('a body, sent or answered, has the fields that are described and no other', () => {
  const objects = objectsIn(described);
  expect(objects.length).toBeGreaterThan(10);
  expect(objects.filter(({ additionalProperties }) => additionalProperties !== false)).toEqual([]);
});

test('every event that can be sent is in the catalogue, and what cannot be subscribed to is marked as an addition', () => {
  const types = Object.keys(described.webhooks);
  expect(types).toEqual([
    ...['verification.completed', 'verification.reviewed'],
    ...['income_check.completed', 'income_check.reviewed', 'webhook.test'],
  ]);
  for (const type of types) {
    const { post } = described.webhooks[type];
    const name = post.requestBody.content['application/json'].schema.$ref.split('/').at(-1);
    expect(described.components.schemas[name].properties.type.const).toBe(type);
    const isSubscribable = (subscribableTypes as readonly string[]).includes(type);
    expect(post.tags).toEqual([isSubscribable ? 'Webhooks' : 'Webhook operations']);
  }
});

test('the additions to the specification stand under a heading of their own, and the guide lists them', () => {
  const additions = routes.filter(({ tag }) => tag.endsWith(' operations'));
  expect(additions.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /verifications/:id/cancel',
    'POST /verifications/:id/link',
    'POST /verifications/:id/erase',
    'POST /income-checks/:id/complete',
    'POST /income-checks/:id/cancel',
    'POST /income-checks/:id/link',
    'POST /income-checks/:id/erase',
    'POST /webhooks/:id/test',
    'GET /webhooks/:id/deliveries',
    'POST /webhooks/:id/deliveries/:delivery_id/resend',
    'POST /webhooks/:id/rotate-secret',
  ]);
  for (const name of ['Verification operations', 'Income check operations', 'Webhook operations'])
    expect(described.tags).toContainEqual(expect.objectContaining({ name }));
  const guide = readFileSync(new URL('../../../docs/guide/additions.md', import.meta.url), 'utf8');
  for (const { method, path } of additions)
    expect(guide).toContain(`\`${method} /v1${path.replaceAll(/:(\w+)/g, '{$1}')}\``);
});

/** Every object with `schema` and `example` or `examples`, at any depth. */
type Shown = { at: string; schema: object; values: unknown[] };
function shownIn(part: unknown, at = ''): Shown[] {
  if (typeof part !== 'object' || part === null) return [];
  const { schema, example, examples } = part as { schema?: object; example?: unknown; examples?: object };
  const values = [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples ?? {}).map(({ value }) => value),
  ];
  return [
    ...(schema === undefined || values.length === 0 ? [] : [{ at, schema, values }]),
    ...Object.entries(part).flatMap(([key, child]) => shownIn(child, `${at}/${key}`)),
  ];
}

const shown = shownIn(described);

test('there are examples of every body that is sent or answered', () => {
  const bodies = shown.filter(({ at }) => at.endsWith('/application/json'));
  expect(bodies.length).toBeGreaterThanOrEqual(routes.length);
  const { VerificationCompleted } = described.components.schemas;
  expect(VerificationCompleted.properties).toHaveProperty('created');
});

test.each(shown)('the example is valid: $at', ({ schema, values }) => {
  const validate = validatorOf(schema);
  for (const value of values) {
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
  }
});
