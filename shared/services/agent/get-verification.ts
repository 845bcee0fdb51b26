import type { AgentVerification, GetVerification } from '#contract/tools.ts';
import type { CallerContext } from '../context.ts';
import { requireRecorded } from '../verifications/get.ts';
import { agentView } from './view.ts';

/**
 * The tool get_verification returns the status. After completion it also returns the outcome and the checks (specification 4.2).
 */
export const readVerification = async (
  ctx: CallerContext,
  { verification_id: id }: GetVerification,
): Promise<AgentVerification> => agentView(await requireRecorded(ctx, id));
