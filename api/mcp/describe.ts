import { z } from 'zod';
import type { Environment } from '#contract/enums.ts';
import { ToolError } from '#contract/tools.ts';
import type { Tool } from './tool.ts';
import { toolsOf } from './tools.ts';

type ObjectSchema = {
  type: 'object';
  properties: Record<string, object>;
  required?: string[];
  additionalProperties: false;
};

/** A tool as tools/list shows it. */
export type DescribedTool = ReturnType<typeof described>;

function described({ name, title, description, input, output, annotations }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input, 'input'),
    outputSchema: orError(schemaOf(output, 'output')),
    annotations: { title, ...annotations },
  };
}

/**
 * Clients check `structuredContent` against the output schema even if `isError` is true. They require an object at the root of the
 * schema. So the schema has the fields of a result and of an error, and `oneOf` says that an answer never has both.
 */
const orError = ({ properties, required = [], ...root }: ObjectSchema) => ({
  ...root,
  properties: { ...properties, ...schemaOf(ToolError, 'output').properties },
  oneOf: [
    { required, not: { required: ['error'] } },
    { required: ['error'], maxProperties: 1 },
  ],
});

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io,
    override: plain,
    unrepresentable: 'any',
  });
  return described as ObjectSchema;
}

/**
 * Removes bounds that Zod adds by itself, formats, and the patterns that only repeat a format. Several clients refuse all tools of a
 * server if one schema has a format that their model does not know. So words say what a format would have said.
 */
function plain({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  const { format } = jsonSchema;
  if (format === undefined) return;
  delete jsonSchema.format;
  if (format !== 'starts_with') delete jsonSchema.pattern;
  const words = wordsOf[format];
  if (words !== undefined) jsonSchema.description ??= words;
}

const wordsOf: Partial<Record<string, string>> = {
  uuid: 'A UUID.',
  uri: 'A URL.',
  'date-time': 'A time of ISO 8601, in UTC.',
};

const listOf = (environment: Environment) => [...toolsOf[environment].values()].map(described);

/** The answers of tools/list. Each lists all tools of the environment, whatever scopes the key has (decision 26). */
export const toolLists: Readonly<Record<Environment, DescribedTool[]>> = {
  sandbox: listOf('sandbox'),
  live: listOf('live'),
};
