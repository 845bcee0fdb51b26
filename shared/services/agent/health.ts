import type { AgentHealth } from '#contract/tools.ts';
import { alive } from '../health/alive.ts';
import type { AgentContext } from './context.ts';

/** That the service is reached, and in which environment and with which rights (specification 4.2). */
export const agentHealth = async ({ scope, grants }: AgentContext): Promise<AgentHealth> => ({
  ...(await alive()),
  environment: scope.environment,
  scopes: [...grants],
});
