import type { AgentVerification, CompleteByAgent } from '#contract/tools.ts';
import type { Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { type CompleteContext, completeVerification } from '../verifications/complete.ts';
import { requireVerification } from '../verifications/get.ts';
import { agentView } from './view.ts';

/** The tool complete_verification. It follows the same rules as the REST endpoint (specification 4.2; decision 8). */
export async function completeByAgent(
  ctx: CompleteContext & Pick<Context, 'secrets' | 'publicUrl'>,
  caller: Caller,
  { verification_id: id, scenario }: CompleteByAgent,
): Promise<AgentVerification> {
  await completeVerification(ctx, caller, { id, scenario });
  return agentView(await requireVerification(ctx, caller.scope, id));
}
