import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { describeApi } from '#api/rest/openapi.ts';
import { prefix, routes } from '#api/rest/routes.ts';

/** The OpenAPI description. The harness and the tests of outages compare every answer with it. */
export const description = describeApi(routes);

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; json: unknown };

/** Compares an answer with the description: status, body and headers. Paths that are not described are not compared. */
export function expectDescribed(method: string, path: string, { status, headers, json }: Answer): void {
  const operation = operationAt(method, path);
  if (operation === undefined) return;
  const name = `${method} ${operation.path} ${status}`;
  const response = resolved(operation.responses[status]);
  expect(response, `${name} is in the description`).toBeDefined();
  const { ofBody, ofHeaders } = validatorsOf(response);
  ofBody(json);
  expect(ofBody.errors ?? [], `what is wrong with the body of ${name}`).toEqual([]);
  ofHeaders({ ...headers });
  expect(ofHeaders.errors ?? [], `what is wrong with the headers of ${name}`).toEqual([]);
}

// biome-ignore lint/suspicious/noExplicitAny: parts of the description are read by name; a missing one fails the assertion
type Part = any;

const operations = Object.entries(description.paths ?? {}).flatMap(([path, item]) => {
  const pattern = new RegExp(`^${prefix}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  return Object.entries(item as Part).map(([method, { responses }]: Part) => ({
    path,
    pattern,
    method: method.toUpperCase(),
    responses,
  }));
});

function operationAt(method: string, target: string) {
  const [path = ''] = target.split('?');
  return operations.find((operation) => operation.method === method && operation.pattern.test(path));
}

/** The part itself, or the part that its `$ref` names. */
function resolved(part: Part): Part {
  if (part?.$ref === undefined) return part;
  const [, , kind, name] = part.$ref.split('/');
  return (description.components as Part)[kind][name];
}

const strict = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
/** Headers are text, so numbers in them must be converted before the check. */
const ofText = addFormats.default(new Ajv2020({ strict: false, allErrors: true, coerceTypes: true }));

/** A schema of the description, with the schemas that it refers to. */
export const validatorOf = (schema: Part): ValidateFunction =>
  strict.compile({ ...schema, components: description.components });

type Validators = { ofBody: ValidateFunction; ofHeaders: ValidateFunction };
const compiled = new Map<Part, Validators>();

function validatorsOf(response: Part): Validators {
  const known = compiled.get(response);
  if (known !== undefined) return known;
  const made = {
    ofBody: validatorOf(response.content['application/json'].schema),
    ofHeaders: ofText.compile(schemaOfHeaders(response.headers ?? {})),
  };
  compiled.set(response, made);
  return made;
}

function schemaOfHeaders(headers: Record<string, Part>) {
  const parts = Object.entries(headers).map(
    ([name, header]) => [name.toLowerCase(), resolved(header)] as const,
  );
  return {
    type: 'object',
    required: parts.filter(([, { required }]) => required === true).map(([name]) => name),
    properties: Object.fromEntries(parts.map(([name, { schema }]) => [name, schema])),
  };
}
