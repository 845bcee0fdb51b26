import type { z } from 'zod';
import { Problem } from '#contract/errors.ts';
import { agentMessage } from '#contract/rpc-errors.ts';
import { ToolError } from '#contract/tools.ts';
import type { Caller } from '#services/caller.ts';
import type { RequestContext } from '#services/context.ts';
import { inTime } from '../middleware/deadline.ts';
import { invalidParameter } from '../rest/invalid-parameter.ts';
import type { Tool } from './tool.ts';

/** The result of a tool call (specification 4.2). `content` holds `structuredContent` as text and nothing else (decision 27). */
export type ToolResult = {
  content: [{ type: 'text'; text: string }];
  structuredContent: Record<string, unknown>;
  isError: boolean;
};

/**
 * Parses the arguments by the schema of the tool. An unknown argument is refused, since its name may be misspelt. Null for
 * an optional one counts as absent, because models write it for what they leave out (decision 24).
 */
export function argumentsFor(tool: Tool, given: Record<string, unknown> = {}): Record<string, unknown> {
  const known = tool.input.shape;
  // Zod ignores an argument named __proto__, so names are checked here.
  if (!Object.keys(given).every((name) => Object.hasOwn(known, name)))
    throw refusal(tool, 'There is an argument that this tool does not know.');
  const isLeftOut = (name: string) => given[name] === null && isOptional(known[name]);
  const present = Object.fromEntries(Object.entries(given).filter(([name]) => !isLeftOut(name)));
  const parsed = tool.input.safeParse(present, { reportInput: true });
  if (!parsed.success) throw refusal(tool, invalidParameter(parsed.error).message);
  return parsed.data;
}

const isOptional = (field: z.ZodType | undefined): boolean => field?.safeParse(undefined).success === true;

function refusal({ input: { shape } }: Tool, what: string): Problem {
  const names = Object.entries(shape).map(([name, field]) =>
    isOptional(field) ? name : `${name} (required)`,
  );
  const allowed = names.length === 0 ? 'It takes no arguments.' : `Allowed arguments: ${names.join(', ')}.`;
  return new Problem('invalid_parameter', `${what} ${allowed}`);
}

/** Calls a tool. The schema `output` parses the result, so that no field outside the schema is sent (specification 4.3). */
export async function callTool(
  ctx: RequestContext,
  caller: Caller,
  tool: Tool,
  input: Record<string, unknown>,
): Promise<ToolResult> {
  return resultOf(tool.output.parse(await inTime(tool.run(ctx, caller, input), ctx.deadlineAt)), false);
}

/** The result of a tool that failed (specification 4.2). */
export const failed = (problem: Problem): ToolResult =>
  resultOf(ToolError.parse({ error: { code: problem.code, message: agentMessage(problem) } }), true);

const resultOf = (structuredContent: Record<string, unknown>, isError: boolean): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
  isError,
});
