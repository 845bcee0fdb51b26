import type { AgentHealth } from '#contract/tools.ts';
import { alive } from '../health/alive.ts';
import type { AgentContext } from './context.ts';

/** The tool health reports the environment and the rights of the key (specification 4.2). */
export const agentHealth = async ({ scope, grants }: AgentContext): Promise<AgentHealth> => ({
  ...(await alive()),
  environment: scope.environment,
  scopes: [...grants],
});
