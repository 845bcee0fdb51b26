import type { z } from 'zod';
import type { Environment, Grant } from '#contract/enums.ts';
import type { AgentContext } from '#services/agent/context.ts';
import type { FieldsOf, TakesAll } from '../verb-input.ts';

/** One tool of specification 4.2. `describe.ts` makes its entry in tools/list, `call.ts` calls it. */
export type Tool = {
  name: string;
  title: string;
  /** For a model: when to use the tool, what it returns, and what to do next. */
  description: string;
  /** The scope that a key needs; null if every valid key will do. */
  grant: Grant | null;
  /** A key of another environment neither sees nor can call the tool. */
  environments: readonly Environment[];
  input: z.ZodObject;
  output: z.ZodObject;
  annotations: Annotations;
  /** The verb. `tool` has checked that `input` is what this row's own schema parses to. */
  run: (ctx: AgentContext, input: unknown) => Promise<unknown>;
};

/** Hints of protocol 2025-06-18. `openWorldHint` is false: no tool reaches beyond this service. */
type Annotations = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: false;
};

export const reads: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
export const writes: Annotations = { ...reads, readOnlyHint: false, idempotentHint: false };
export const writesOnce: Annotations = { ...writes, idempotentHint: true };

/** Checks a row when it is compiled: the verb takes exactly the fields of `input`, and returns what `output` accepts. */
export const tool = <
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  Verb extends (ctx: AgentContext, input: FieldsOf<Input>) => Promise<z.input<Output>>,
>(
  checked: Omit<Tool, 'run'> & {
    input: Input;
    output: Output;
    run: Verb & TakesAll<Parameters<Verb>[1], FieldsOf<Input>>;
  },
): Tool => checked as Tool;
