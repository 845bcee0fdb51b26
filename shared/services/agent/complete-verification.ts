import type { AgentVerification, CompleteByAgent } from '#contract/tools.ts';
import type { CallerContext } from '../context.ts';
import { completeVerification } from '../verifications/complete.ts';
import { requireVerification } from '../verifications/get.ts';
import { agentView } from './view.ts';

/** The tool complete_verification. It follows the same rules as the REST endpoint (specification 4.2; decision 8). */
export async function completeByAgent(
  ctx: CallerContext,
  { verification_id: id, scenario }: CompleteByAgent,
): Promise<AgentVerification> {
  await completeVerification(ctx, { id, scenario });
  return agentView(await requireVerification(ctx, id));
}
