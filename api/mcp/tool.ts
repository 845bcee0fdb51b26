import type { z } from 'zod';
import type { Environment, Grant } from '#contract/enums.ts';
import type { Caller } from '#services/caller.ts';
import type { RequestContext } from '#services/context.ts';
import type { FieldsOf, TakesAll } from '../verb-input.ts';

/** One tool of specification 4.2. `describe.ts` makes its entry in tools/list, and `call.ts` calls the tool. */
export type Tool = {
  name: string;
  title: string;
  /** Tells a model when to use the tool, what the tool returns, and what to do next. */
  description: string;
  /** The scope that a key needs. Null if any valid key may call the tool. */
  grant: Grant | null;
  /** A key of any environment outside this list can neither see nor call the tool. */
  environments: readonly Environment[];
  input: z.ZodObject;
  output: z.ZodObject;
  annotations: Annotations;
  /** The verb. The function `tool` checks at compile time that the verb takes what the schema `input` parses to. */
  run: (ctx: RequestContext, caller: Caller, input: unknown) => Promise<unknown>;
};

/**
 * Hints of protocol 2025-06-18. `openWorldHint` is true for a tool that lets this service send data to an address of the caller's
 * choice.
 */
type Annotations = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

export const reads: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
export const writes: Annotations = { ...reads, readOnlyHint: false, idempotentHint: false };
export const writesOnce: Annotations = { ...writes, idempotentHint: true };

/** Checks a tool at compile time. The verb must take exactly the fields of `input` and return what `output` accepts. */
export const tool = <
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  Verb extends (ctx: RequestContext, caller: Caller, input: FieldsOf<Input>) => Promise<z.input<Output>>,
>(
  checked: Omit<Tool, 'run'> & {
    input: Input;
    output: Output;
    run: Verb & TakesAll<Parameters<Verb>[2], FieldsOf<Input>>;
  },
): Tool => checked as Tool;
