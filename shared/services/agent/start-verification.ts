import type { StartedVerification, StartVerification } from '#contract/tools.ts';
import type { Caller } from '../caller.ts';
import type { RequestContext } from '../context.ts';
import { createVerification } from '../verifications/create.ts';
import { requireVerification } from '../verifications/get.ts';
import { verifyUrl } from '../views/link.ts';
import { nextStep } from './next-step.ts';
import { agentView } from './view.ts';

/** The tool start_verification does the same as the REST endpoint and adds the next step. No other tool returns the link. */
export async function startVerification(
  ctx: RequestContext,
  caller: Caller,
  { method, reference, sandbox_scenario: scenario, auto_complete }: StartVerification,
): Promise<StartedVerification> {
  const { body } = await createVerification(ctx, caller, {
    method,
    ...(reference !== undefined && { reference }),
    sandbox: { scenario, auto_complete },
  });
  const row = await requireVerification(ctx, caller.scope, JSON.parse(body).id);
  return { ...agentView(row), verify_url: verifyUrl(ctx, row), next_step: nextStep(row) };
}
