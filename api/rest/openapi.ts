import { z } from 'zod';
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { sentEvents } from '#contract/events.ts';
import { idempotencyKeyText, uuid } from '#contract/fields.ts';
import { limits } from '#contract/limits.ts';
import { examples } from './examples.ts';
import { errorResponse, groupedErrorsOf, nameOf, statusOf } from './openapi-errors.ts';
import { eventOf } from './openapi-events.ts';
import { everyHeader, headers, refsToHeaders, refTo, replayed } from './openapi-headers.ts';
import { apiKey, introduction, tags } from './openapi-prose.ts';
import { prefix } from './routes.ts';
import type { Route } from './row.ts';

/** The version of the interface, not of the product (specification 9; decision 2). */
const interfaceVersion = '1.0.0';

export type ApiDocument = ReturnType<typeof createDocument>;

/**
 * Describes the interface in OpenAPI 3.1. The description is made from the rows and schemas of the handlers, so its fields are
 * always those of the handlers.
 */
export const describeApi = (rows: readonly Route[]): ApiDocument => createDocument(described(rows), readable);

const described = (rows: readonly Route[]): ZodOpenApiObject => ({
  openapi: '3.1.0',
  info: {
    title: 'Verification service',
    version: interfaceVersion,
    description: introduction,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: prefix, description: 'The server that this document was loaded from.' }],
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
    `A name of your choice for this request. For ${limits.idempotencyRetentionHours} hours you can then repeat it safely. Use a random UUID, for example.`,
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

/**
 * Removes what Zod adds and a reader does not need: the patterns of UUIDs and of times, the format `starts_with`, and the default
 * bounds of integers.
 */
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
