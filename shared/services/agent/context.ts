import type { Grant } from '#contract/enums.ts';
import type { CallerContext } from '../context.ts';

/** The context of a tool. `grants` are the rights of the caller's key. */
export type AgentContext = CallerContext & { grants: readonly Grant[] };
