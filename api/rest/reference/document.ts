/** The parts of an OpenAPI document that the page shows. */
export type Document = {
  info: { title: string; version: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths?: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components?: {
    schemas?: Record<string, Schema>;
    headers?: Record<string, Header | Ref>;
    responses?: Record<string, Response | Ref>;
    securitySchemes?: Record<string, { description?: string }>;
  };
};

export type Operation = {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses?: Record<string, Response | Ref>;
};

export type Parameter = {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
};
export type Header = { description?: string; required?: boolean; schema?: Schema };
export type Response = { description?: string; headers?: Record<string, unknown>; content?: Content };
export type Content = Record<
  string,
  { schema?: Schema; example?: unknown; examples?: Record<string, { value?: unknown }> }
>;

export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  minItems?: number;
};

export type Ref = { $ref: string };

/** An operation of the interface, or an event that the interface sends. */
export type Entry = {
  id: string;
  tag: string;
  kind: 'operation' | 'event';
  method: string;
  /** The path with the prefix of the version. For an event, its type. */
  path: string;
  operation: Operation;
};

export const nameOfRef = (ref: string): string => ref.split('/').at(-1) ?? ref;

/** Returns the component that a reference names. A value that is no reference is returned unchanged. */
export function resolve<T extends object>(value: T | Ref, components: Record<string, T | Ref> = {}): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const found = components[nameOfRef(value.$ref)];
  if (found === undefined) throw new Error(`${value.$ref} is not in the document`);
  return resolve(found, components);
}

export const json = 'application/json';

export const schemaOf = (content: Content | undefined): Schema => content?.[json]?.schema ?? {};
