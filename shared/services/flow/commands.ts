import type { Consent } from '#contract/workflows.ts';
import { problemOf } from '#platform/failures.ts';
import type { Context } from '../context.ts';
import { askThenRead } from '../verifications/ask-then-read.ts';
import { workflowInput } from '../verifications/workflow-input.ts';
import { findLink, type Link, type LinkContext } from './find-link.ts';

/** The version of the consent text. The ledger records it, so a new text needs a new version. */
export const consentVersion = 1;

/** The context of a person's request. */
export type FlowContext = LinkContext &
  Pick<Context, 'temporal' | 'instruments'> & { requestId: string; deadlineAt: number };

/**
 * A person's command goes to the workflow of the verification, and restarts a lost workflow (decision 36). If the connection to
 * Temporal breaks, the row tells whether the command was carried out.
 */
export async function startFlow(
  ctx: FlowContext,
  token: string,
  link: Link,
  { language }: Pick<Consent, 'language'>,
): Promise<void> {
  if (link.step !== 'welcome') return;
  const order = { consent: { version: consentVersion, language }, requestId: ctx.requestId };
  const asked = ctx.temporal.startVerification(workflowInput(link), order, ctx.deadlineAt);
  await counted(ctx, 'start', link, askThenRead(asked, hasGoneOn(ctx, token, link)));
}

export async function submitFlow(ctx: FlowContext, token: string, link: Link): Promise<void> {
  if (link.step !== 'confirm') return;
  const order = { requestId: ctx.requestId };
  const asked = ctx.temporal.submitVerification(workflowInput(link), order, ctx.deadlineAt);
  await counted(ctx, 'submit', link, askThenRead(asked, hasGoneOn(ctx, token, link)));
}

/** If the workflow answers, that is enough. The row is read only if it does not answer. */
const hasGoneOn = (ctx: LinkContext, token: string, before: Link) => async (failed: boolean) => {
  const isCarriedOut = !failed || (await findLink(ctx, token))?.step !== before.step;
  return isCarriedOut || undefined;
};

async function counted(
  { instruments }: Pick<Context, 'instruments'>,
  step: 'start' | 'submit',
  { environment }: Link,
  carriedOut: Promise<unknown>,
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
