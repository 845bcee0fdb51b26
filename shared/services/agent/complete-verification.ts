import type { AgentVerification, CompleteByAgent } from '#contract/tools.ts';
import type { Caller } from '../caller.ts';
import { type CompleteContext, completeChosen } from '../verifications/complete.ts';
import { agentView } from './view.ts';

/** The tool complete_verification. It follows the same rules as the REST endpoint (specification 4.2; decision 8). */
export const completeByAgent = async (
  ctx: CompleteContext,
  caller: Caller,
  { verification_id: id, scenario }: CompleteByAgent,
): Promise<AgentVerification> => agentView(await completeChosen(ctx, caller, { id, scenario }));
