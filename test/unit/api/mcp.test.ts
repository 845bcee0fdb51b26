import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callTool } from '#api/mcp/call.ts';
import { toolLists } from '#api/mcp/describe.ts';
import { tools, toolsOf } from '#api/mcp/tools.ts';
import { environments } from '#contract/enums.ts';
import { errors } from '#contract/errors.ts';
import { rpcCodeOf } from '#contract/rpc-errors.ts';
import { toolErrorCodes } from '#contract/tools.ts';
import { callerOfKey } from '#services/caller.ts';
import type { RequestContext } from '#services/context.ts';
import { covers } from '#test/requirements.ts';

/** Names of fields that section 4.3 forbids, and names of the data that its last sentence forbids. */
const neverReturned = [
  ...[
    'reference',
    'external_ref',
    'subject_ref',
    'dossier_ref',
    'link_token',
    'verify_url',
    'reasons',
    'summary',
  ],
  ...[
    'name',
    'first_name',
    'last_name',
    'full_name',
    'birth_date',
    'date_of_birth',
    'bsn',
    'document_number',
  ],
  ...[
    'nationality',
    'address',
    'email',
    'phone',
    'image',
    'images',
    'document_image',
    'selfie',
    'mrz',
    'raw',
    'raw_output',
  ],
];

/** Returns every property name in a JSON schema, with its path. */
function propertiesOf(schema: unknown, way: string[] = []): string[][] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([word, part]) =>
    word === 'properties'
      ? Object.entries(part as object).flatMap(([name, inner]) => [
          [...way, name],
          ...propertiesOf(inner, [...way, name]),
        ])
      : propertiesOf(part, way),
  );
}

const objectsIn = (schema: unknown): Record<string, unknown>[] =>
  typeof schema !== 'object' || schema === null
    ? []
    : [
        ...('type' in schema && schema.type === 'object' ? [schema as Record<string, unknown>] : []),
        ...Object.values(schema).flatMap(objectsIn),
      ];

describe.each(environments)('the tools of %s', (environment) => {
  test.each(toolLists[environment].map((tool) => [tool.name, tool] as const))(
    '%s names nothing of section 4.3 in its output, but start_verification its link',
    (name, { outputSchema }) => {
      covers('4.3/reference', '4.3/external-ref', '4.3/subject-ref', '4.3/dossier-ref', '4.3/link-token');
      covers('4.3/verify-url', '4.3/reasons', '4.3/summary', '4.3/personal-data', '1/agent-no-personal-data');
      const ways = propertiesOf(outputSchema);
      expect(ways.length).toBeGreaterThan(2);
      const named = ways.filter((way) => neverReturned.includes(way.at(-1) ?? ''));
      expect(named).toEqual(name === 'start_verification' ? [['verify_url']] : []);
    },
  );

  test.each(toolLists[environment].map((tool) => [tool.name, tool] as const))(
    '%s has closed schemas, all the way down',
    (_, { inputSchema, outputSchema }) => {
      for (const object of objectsIn([inputSchema, outputSchema]))
        expect(object.additionalProperties, JSON.stringify(object)).toBe(false);
    },
  );

  test('the answer of tools/list is made once', () => {
    expect(toolLists[environment].map(({ name }) => name)).toEqual([...toolsOf[environment].keys()]);
  });
});

/** Words of JSON Schema for which a widely used client, or a model behind it, refuses all tools of a server. */
const refusedByClients = [
  ...['format', 'pattern', 'const', '$schema', '$id', '$ref', '$defs', 'definitions'],
  ...['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas'],
  ...['patternProperties', 'propertyNames', 'prefixItems', 'contains', 'unevaluatedProperties'],
];

/** Returns all words of a schema. Names of properties and values are no words. */
const wordsIn = (schema: unknown): string[] =>
  typeof schema !== 'object' || schema === null
    ? []
    : Object.entries(schema).flatMap(([word, part]) => [
        word,
        ...(word === 'properties' ? Object.values(part).flatMap(wordsIn) : []),
        ...(['enum', 'default', 'required', 'properties'].includes(word) ? [] : wordsIn(part)),
      ]);

const allTools = environments.flatMap((environment) =>
  toolLists[environment].map((tool) => [`${environment} ${tool.name}`, tool] as const),
);

test.each(allTools)('%s takes arguments by a schema that every client accepts', (_, { inputSchema }) => {
  expect(wordsIn(inputSchema).filter((word) => refusedByClients.includes(word))).toEqual([]);
  expect(Object.keys(inputSchema)).not.toContain('$schema');
  for (const argument of Object.values(inputSchema.properties)) {
    expect(argument).toMatchObject({
      type: expect.stringMatching(/^(string|boolean|integer|array|object)$/),
    });
    expect(argument).toHaveProperty('description');
  }
});

test.each(allTools)('%s has schemas that a strict validator without formats compiles', (_, tool) => {
  const ajv = new Ajv({ logger: false });
  for (const schema of [tool.inputSchema, tool.outputSchema]) {
    expect(wordsIn(schema)).not.toContain('format');
    expect(() => ajv.compile(schema)).not.toThrow();
  }
});

test('the walk finds a word at any depth, and no name of a property', () => {
  const { inputSchema } = {
    inputSchema: z.toJSONSchema(z.object({ format: z.array(z.object({ a: z.uuid() })) })),
  };
  expect(wordsIn(inputSchema).filter((word) => word === 'format')).toHaveLength(1);
});

test('the walk finds a name at any depth', () => {
  const schema = z.toJSONSchema(
    z.object({ list: z.array(z.object({ deep: z.object({ reference: z.string() }).nullable() })) }),
  );
  expect(propertiesOf(schema)).toContainEqual(['list', 'deep', 'reference']);
});

/** Returns a value that a schema of ours accepts, with one element in each array. The content of the value does not matter. */
function sample(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape).map(([name, field]) => [name, sample(field as z.ZodType)]),
    );
  if (schema instanceof z.ZodNullable) return sample(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return [sample(schema.element as z.ZodType)];
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return schema.value;
  const candidates = [
    true,
    1,
    'whsec_x',
    '2026-11-21T00:00:00.000Z',
    '01a1fe01-b783-72e6-bfca-f1fd4bdbcb38',
    'https://a.example/',
  ];
  return candidates.find((value) => schema.safeParse(value).success);
}

/** Adds `reference` to one object of the value. Returns one copy for each object. */
function tainted(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => tainted(item).map((inner) => [inner]));
  if (typeof value !== 'object' || value === null) return [];
  return [
    { ...value, reference: 'x' },
    ...Object.entries(value).flatMap(([name, inner]) =>
      tainted(inner).map((changed) => ({ ...value, [name]: changed })),
    ),
  ];
}

const ctx = { deadlineAt: Date.now() + 60_000 } as RequestContext;
const caller = callerOfKey({ id: 'a key', orgId: 'an organisation', environment: 'sandbox', grants: [] });

test.each(tools.map((tool) => [tool.name, tool] as const))(
  '%s lets nothing out that its schema does not name, at any depth',
  async (_, tool) => {
    covers('4.3/personal-data', '1/agent-no-personal-data');
    const value = sample(tool.output) as Record<string, unknown>;
    const { structuredContent } = await callTool(ctx, caller, { ...tool, run: async () => value }, {});
    expect(structuredContent).toEqual(value);
    const attempts = tainted(value);
    expect(attempts.length).toBeGreaterThan(0);
    for (const attempt of attempts)
      await expect(callTool(ctx, caller, { ...tool, run: async () => attempt }, {})).rejects.toThrow(
        /reference/,
      );
  },
);

test('annotations say which tools read and which write, as section 4.2 does', () => {
  covers('4.2/read-and-write');
  const reading = tools.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name);
  expect(reading).toEqual(['health', 'get_verification', 'list_verifications', 'list_webhooks']);
  expect(tools.some(({ annotations }) => annotations.destructiveHint)).toBe(false);
  const open = tools.filter(({ annotations }) => annotations.openWorldHint).map(({ name }) => name);
  expect(open).toEqual(['create_webhook']);
});

test.each([
  ['invalid_json', -32700],
  ['unknown_method', -32601],
  ['unknown_tool', -32602],
  ['missing_api_key', -32001],
  ['invalid_api_key', -32001],
  ['expired_api_key', -32001],
  ['insufficient_scope', -32003],
  ['rate_limit_exceeded', -32029],
] as const)('%s is %i, as section 7.2 says', (code, rpcCode) => {
  covers('7.2/-32700', '7.2/-32601', '7.2/-32602', '7.2/-32001', '7.2/-32003', '7.2/-32029');
  expect(rpcCodeOf(code)).toBe(rpcCode);
});

test('a fault of ours is -32603, and every code of a failed tool is in the catalogue', () => {
  expect([rpcCodeOf('internal_error'), rpcCodeOf('service_unavailable')]).toEqual([-32603, -32603]);
  for (const code of toolErrorCodes) expect(errors).toHaveProperty(code);
});

const documented = readFileSync(new URL('../../../docs/agents.md', import.meta.url), 'utf8');

/** Returns the row that docs/agents.md must have for a tool. */
const lineOf = ({ name, annotations, grant, environments: where, input }: (typeof tools)[number]) => {
  const takes = Object.entries(input.shape).map(([field, schema]) =>
    (schema as z.ZodType).safeParse(undefined).success ? `\`${field}\`` : `\`${field}\` (required)`,
  );
  const access = `${annotations.readOnlyHint ? 'read' : 'write'}${where.length === 1 ? `, ${where[0]} only` : ''}`;
  return `| \`${name}\` | ${access} | ${grant === null ? 'none' : `\`${grant}\``} | ${takes.join(', ') || 'none'} |`;
};

test('docs/agents.md has the table of the tools as the rows tell it', () => {
  const lines = tools.map(lineOf);
  expect(documented.split('\n').filter((line) => /^\| `\w+` \| (read|write)/.test(line))).toEqual(lines);
});
