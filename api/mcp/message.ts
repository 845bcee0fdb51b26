import { z } from 'zod';
import { Problem } from '#contract/errors.ts';

/** Accepts any JSON object and does not check its fields. If the fields matter, another schema parses them later. */
const anyObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

const Id = z.union([z.string(), z.int()]);
export type RpcId = z.output<typeof Id>;

/** Some clients send null for an object that they leave out. */
const objectOrNull = anyObject.nullish().transform((given) => given ?? undefined);

/** One JSON-RPC 2.0 message. A message without `id` is a notification. A batch is refused (decision 24). */
const Message = z.object({
  jsonrpc: z.literal('2.0'),
  id: Id.optional(),
  method: z.string(),
  params: objectOrNull,
});
export type RpcMessage = z.output<typeof Message>;
export type RpcRequest = RpcMessage & { id: RpcId };

export function messageOf(body: unknown): RpcMessage {
  const parsed = Message.safeParse(body);
  if (!parsed.success) throw new Problem('invalid_message');
  return parsed.data;
}

export const isRequest = (message: RpcMessage): message is RpcRequest => message.id !== undefined;

/** Returns the id of a refused message, for the answer to it. Null if the message has no valid id. */
export function idOf(body: unknown): RpcId | null {
  const id = anyObject.safeParse(body).success ? (body as { id?: unknown }).id : undefined;
  return Id.safeParse(id).data ?? null;
}

const Initialize = z.object({
  protocolVersion: z.string(),
  capabilities: anyObject,
  clientInfo: z.object({ name: z.string(), version: z.string() }),
});

const Call = z.object({ name: z.string(), arguments: objectOrNull });
export type ToolCall = z.output<typeof Call>;

export const initializeParams = (params: unknown) => paramsAs(Initialize, params, initializeHint);
export const callParams = (params: unknown): ToolCall => paramsAs(Call, params, callHint);

const initializeHint =
  'initialize needs protocolVersion, capabilities (an object) and clientInfo with name and version.';
const callHint = 'tools/call needs name (a string); arguments, if given, must be an object.';

function paramsAs<Schema extends z.ZodType>(schema: Schema, params: unknown, hint: string): z.output<Schema> {
  const parsed = schema.safeParse(params);
  if (!parsed.success) throw new Problem('invalid_params', hint);
  return parsed.data;
}
