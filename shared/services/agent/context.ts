import type { Grant } from '#contract/enums.ts';
import type { CallerContext } from '../context.ts';

/** A tool's context: a caller's, with the rights of its key. */
export type AgentContext = CallerContext & { grants: readonly Grant[] };
