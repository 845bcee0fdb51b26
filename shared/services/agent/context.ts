import type { Grant } from '#contract/enums.ts';
import type { CallerContext } from '../context.ts';

/** The context of a tool: that of a caller, with the rights of its key. */
export type AgentContext = CallerContext & { grants: readonly Grant[] };
