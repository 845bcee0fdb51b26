import type { AgentHealth } from '#contract/tools.ts';
import type { Caller } from '../caller.ts';
import type { RequestContext } from '../context.ts';
import { alive } from '../health/alive.ts';

/** The tool health reports the environment and the scopes of the key (specification 4.2). Every key may call it. */
export const agentHealth = async (
  { grants }: Pick<RequestContext, 'grants'>,
  { scope }: Pick<Caller, 'scope'>,
): Promise<AgentHealth> => ({
  ...(await alive()),
  environment: scope.environment,
  scopes: [...grants],
});
