import type { AgentVerification, GetVerification } from '#contract/tools.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { LostContext } from '../runs/even-if-lost.ts';
import { requireRecorded } from '../verifications/get.ts';
import { agentView } from './view.ts';

/**
 * The tool get_verification returns the status. After completion it also returns the outcome and the checks (specification 4.2).
 */
export async function readVerification(
  ctx: LostContext,
  caller: Caller,
  { verification_id: id }: GetVerification,
): Promise<AgentVerification> {
  assertMay(caller, 'verifications.see');
  return agentView(await requireRecorded(ctx, caller.scope, id));
}
