import { z } from 'zod';
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { ErrorBody, type ErrorCode, errors } from '#contract/errors.ts';
import { deliveryHeaders, sentEvents } from '#contract/events.ts';
import { idempotencyKeyText, uuid } from '#contract/fields.ts';
import { limits } from '#contract/limits.ts';
import { errorsOf } from './errors-of.ts';
import { exampleRequestId, examples } from './examples.ts';
import { prefix } from './routes.ts';
import type { Route } from './row.ts';

/** The interface's version, not the product's (specification 9; decision 2). */
const interfaceVersion = '1.0.0';

export type ApiDocument = ReturnType<typeof createDocument>;

/** The interface in OpenAPI 3.1, told by the rows and their schemas alone, so that it says what the handlers do. */
export const describeApi = (rows: readonly Route[]): ApiDocument => createDocument(described(rows), readable);

const described = (rows: readonly Route[]): ZodOpenApiObject => ({
  openapi: '3.1.0',
  info: {
    title: 'Verification service',
    version: interfaceVersion,
    description: introduction,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: prefix, description: 'Where this document was loaded from.' }],
  tags,
  paths: pathsOf(rows),
  webhooks: Object.fromEntries(sentEvents.map((event) => [event[0], { post: eventOf(event) }])),
  components: {
    securitySchemes: { apiKey },
    headers,
    responses: Object.fromEntries(
      rows.flatMap(groupedErrorsOf).map((codes) => [nameOf(codes), errorResponse(codes)]),
    ),
  },
});

const introduction = `
Identity verification for your customers: start a verification, hand its \`verify_url\` to your end user, and learn the
verdict by a signed webhook or by asking.

**Environments.** The prefix of your key decides: \`svc_test_\` is sandbox, where you choose the verdict and nothing is
charged, \`svc_live_\` is live. Everything belongs to the organisation of the key; what is another's answers like what does
not exist.

**Requests.** Bodies are JSON in UTF-8, at most ${limits.bodySizeBytesMax / 1024} KiB. An unknown field is refused, so that a
misspelt one cannot go unseen. Timestamps are ISO 8601 in UTC.

**Repeating safely.** Send an \`Idempotency-Key\` where an operation has that header. Within ${limits.idempotencyRetentionHours} hours
the same key with the same body gives the same answer and creates nothing new. A 503 means that the outcome is unknown: repeat
the request with the same key to find out.

**Lists** are newest first. While \`has_more\` is true, send \`next_starting_after\` as \`starting_after\` for the next page.

**Limits.** ${limits.requestsPerMinute} requests a minute for each key, unless yours was given another number. Every answer says
what is left; a 429 says in \`Retry-After\` when to come again.

**Errors** all have one form, with a \`code\` for programs and a \`message\` for people. Quote \`request_id\` when you ask us
something.
`.trim();

const tags = [
  { name: 'Verifications', description: 'One verification is one end user proving who they are, once.' },
  {
    name: 'Webhooks',
    description: `Where events are sent, and what they say. A delivery is tried at most ${limits.deliveryAttemptsMax} times over about eight hours.`,
  },
  {
    name: 'Webhook operations',
    description:
      'See what was sent to an endpoint and what came of it, send a test event, send an event again, renew the secret.',
  },
  { name: 'Service', description: 'The service itself.' },
];

const apiKey = {
  type: 'http',
  scheme: 'bearer',
  description:
    'Your API key: `Authorization: Bearer svc_test_…` in sandbox, `svc_live_…` in live. The key says which organisation and environment it is for; each operation names the scope that it needs.',
} as const;

/** By path, then by method. */
function pathsOf(rows: readonly Route[]) {
  const byPath = Object.groupBy(rows, ({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'));
  return Object.fromEntries(
    Object.entries(byPath).map(([path, group = []]) => [
      path,
      Object.fromEntries(group.map((row) => [row.method.toLowerCase(), operationOf(row)])),
    ]),
  );
}

const operationOf = (row: Route): ZodOpenApiOperationObject => ({
  operationId: row.operation,
  tags: [row.tag],
  summary: row.summary,
  description: row.grant === null ? row.description : `${row.description}\n\nScope: \`${row.grant}\`.`,
  security: row.grant === null ? [] : [{ apiKey: [] }],
  requestParams: parametersOf(row),
  ...requestBodyOf(row),
  responses: {
    [row.success.status]: successOf(row),
    ...Object.fromEntries(
      groupedErrorsOf(row).map((codes) => [statusOf(codes), refTo('responses', nameOf(codes))]),
    ),
  },
});

function parametersOf(row: Route) {
  const names = [...row.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  if (row.grant === null) return {};
  return {
    ...(names.length > 0 && { path: z.object(Object.fromEntries(names.map((name) => [name, uuid]))) }),
    ...(row.query && { query: row.query }),
    ...(row.idempotent && { header: z.object({ 'Idempotency-Key': idempotencyKey }) }),
  };
}

const idempotencyKey = idempotencyKeyText
  .optional()
  .describe(
    `Names this request, so that repeating it is safe for ${limits.idempotencyRetentionHours} hours. A random UUID serves well.`,
  );

function requestBodyOf(row: Route): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (row.grant === null || row.body === undefined) return {};
  const bodies = Object.entries(examplesOf(row).bodies ?? {});
  return {
    requestBody: {
      required: row.bodyOptional !== true,
      content: {
        'application/json': {
          schema: row.body,
          examples: Object.fromEntries(bodies.map(([name, value]) => [name, { value }])),
        },
      },
    },
  };
}

const successOf = (row: Route): ZodOpenApiResponseObject => ({
  description: row.success.description,
  ...(row.grant !== null && {
    headers: refsToHeaders([...everyHeader, ...(row.idempotent ? replayed : [])]),
  }),
  content: { 'application/json': { schema: row.success.schema, example: examplesOf(row).answer } },
});

function examplesOf(row: Route) {
  const found = examples[row.operation];
  if (found === undefined) throw new Error(`${row.operation} has no example in examples.ts`);
  return found;
}

/** A row's errors, those of one status together. */
const groupedErrorsOf = (row: Route): ErrorCode[][] =>
  Object.values(Object.groupBy(errorsOf(row), (code) => errors[code].status)).map((codes = []) => codes);

const statusOf = ([code]: ErrorCode[]) => (code === undefined ? 0 : errors[code].status);
const nameOf = (codes: ErrorCode[]) => codes.join('.');

const errorResponse = (codes: ErrorCode[]): ZodOpenApiResponseObject => ({
  description: codes.map((code) => `\`${code}\`: ${errors[code].message}`).join('\n\n'),
  headers: refsToHeaders([...everyHeader, ...(headersOfStatus[statusOf(codes)] ?? [])]),
  content: {
    'application/json': {
      schema: errorBodyWith(codes),
      examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
    },
  },
});

/** The form of every error, with just these codes. */
function errorBodyWith(codes: ErrorCode[]) {
  const { error } = ErrorBody.shape;
  const types = new Set(codes.map((code) => errors[code].type));
  return ErrorBody.extend({
    error: error.extend({
      type: error.shape.type.extract([...types]),
      code: error.shape.code.extract(codes),
    }),
  });
}

function exampleOf(code: ErrorCode): ErrorBody {
  const { type, message } = errors[code];
  return { error: { type, code, message, request_id: exampleRequestId } };
}

/** Specification 4, 7 and 8; decision 21. */
const headers = {
  'X-Request-Id': {
    description: 'Names this request. Quote it when you ask us something.',
    required: true,
    schema: { type: 'string', pattern: '^req_' },
    example: exampleRequestId,
  },
  'X-RateLimit-Limit': {
    description: 'Requests allowed in a minute: to the key, or to your address where no key was accepted.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: limits.requestsPerMinute,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that are left in this minute.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
    example: limits.requestsPerMinute - 1,
  },
  'Idempotent-Replayed': {
    description: 'Sent when the answer is that of an earlier request with this Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
  'WWW-Authenticate': {
    description: 'The scheme by which to authenticate.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer',
  },
} as const;
type Header = keyof typeof headers;

const everyHeader: Header[] = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining'];
const replayed: Header[] = ['Idempotent-Replayed'];
const headersOfStatus: Record<number, Header[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const refTo = (kind: 'headers' | 'responses', name: string) => ({ $ref: `#/components/${kind}/${name}` });
const refsToHeaders = (names: Header[]) =>
  Object.fromEntries(names.map((name) => [name, refTo('headers', name)]));

/** What a partner can be sent (specification 6; decision 32). */
const eventOf = ([type, event]: (typeof sentEvents)[number]): ZodOpenApiOperationObject => ({
  operationId: `on${event.body.meta()?.id}`,
  tags: [event.subscribable ? 'Webhooks' : 'Webhook operations'],
  summary: event.summary,
  description: event.description,
  security: [],
  requestParams: {
    header: z.object({
      [deliveryHeaders.signature]: z.string().meta({
        description: 'When it was signed, and the signature.',
        examples: ['t=1795262888,v1=5257a869e7…'],
      }),
      [deliveryHeaders.event]: z.literal(type).describe('The type of the event.'),
      [deliveryHeaders.delivery]: z
        .string()
        .startsWith('evt_')
        .describe('The id of the event, the same in every attempt.'),
    }),
  },
  requestBody: {
    required: true,
    content: { 'application/json': { schema: event.body, example: event.example } },
  },
  responses: {
    '2XX': { description: 'You have stored the event. Your answer is not read beyond this.' },
    default: { description: event.refused },
  },
});

/** Without what zod adds that tells a reader nothing: the pattern of a format, a format of its own, the bounds of every integer. */
const readable: CreateDocumentOptions = {
  override({ jsonSchema }) {
    if (jsonSchema.format === 'uuid' || jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
      delete jsonSchema.minimum;
      delete jsonSchema.maximum;
    }
  },
};
