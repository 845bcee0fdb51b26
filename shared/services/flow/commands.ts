import type { Consent } from '#contract/workflows.ts';
import { problemOf } from '#platform/failures.ts';
import type { Context } from '../context.ts';
import { workflowInput } from '../verifications/workflow-input.ts';
import { findLink, type Link } from './find-link.ts';

/** Which text of consent the page shows. A change of what people agree to is a new version; the ledger names it. */
export const consentVersion = 1;

/** What a person's request brings along. */
export type FlowContext = Context & { requestId: string; deadlineAt: number };

/**
 * What a person presses goes to the verification's workflow, which is started again should it be lost (decision 36). If the
 * connection to it breaks, the row tells whether it was carried out.
 */
export async function startFlow(
  ctx: FlowContext,
  token: string,
  link: Link,
  { language }: Pick<Consent, 'language'>,
): Promise<void> {
  if (link.step !== 'welcome') return;
  const order = { consent: { version: consentVersion, language }, requestId: ctx.requestId };
  const sent = ctx.engine.startVerification(workflowInput(link), order, ctx.deadlineAt);
  await counted(ctx, 'start', link, carriedOut(ctx, token, link, sent));
}

export async function submitFlow(ctx: FlowContext, token: string, link: Link): Promise<void> {
  if (link.step !== 'confirm') return;
  const order = { requestId: ctx.requestId };
  const sent = ctx.engine.submitVerification(workflowInput(link), order, ctx.deadlineAt);
  await counted(ctx, 'submit', link, carriedOut(ctx, token, link, sent));
}

async function counted(
  { instruments }: Context,
  step: 'start' | 'submit',
  { environment }: Link,
  carriedOut: Promise<void>,
): Promise<void> {
  const count = (outcome: string) => instruments.flowSteps.add(1, { step, outcome, environment });
  try {
    await carriedOut;
    count('done');
  } catch (error) {
    count(problemOf(error).code);
    throw error;
  }
}

async function carriedOut(ctx: Context, token: string, before: Link, sent: Promise<unknown>): Promise<void> {
  try {
    await sent;
  } catch (failure) {
    const after = await findLink(ctx, token);
    if (after?.step === before.step) throw failure;
  }
}
