import type { AgentVerification, GetVerification } from '#contract/tools.ts';
import { requireVerification } from '../verifications/get.ts';
import type { AgentContext } from './context.ts';
import { agentView } from './view.ts';

/** The tool get_verification: the status and, once completed, the outcome with each check (specification 4.2). */
export const readVerification = async (
  ctx: AgentContext,
  { verification_id: id }: GetVerification,
): Promise<AgentVerification> => agentView(await requireVerification(ctx, id));
