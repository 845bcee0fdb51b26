import type { AgentHealth } from '#contract/tools.ts';
import type { CallerContext } from '../context.ts';
import { alive } from '../health/alive.ts';

/** The tool health reports the environment and the rights of the key (specification 4.2). */
export const agentHealth = async ({ scope, grants }: CallerContext): Promise<AgentHealth> => ({
  ...(await alive()),
  environment: scope.environment,
  scopes: [...grants],
});
