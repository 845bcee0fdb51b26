import type { Consent } from '#contract/workflows.ts';
import { problemOf } from '#platform/failures.ts';
import { commandsOf } from '#store/verifications/commands.ts';
import type { Context } from '../context.ts';
import { askThenRead } from '../runs/ask-then-read.ts';
import { commandBinding, consentVersion, type Sender, sealedSender } from './consent.ts';
import { findLink, type Link, type LinkContext } from './find-link.ts';

/** The context of a request from the hosted page. */
export type FlowContext = LinkContext &
  Pick<Context, 'temporal' | 'instruments'> & { requestId: string; deadlineAt: number };

/** Gives the consent to everything that the method needs, and starts. */
export async function startFlow(
  ctx: FlowContext,
  token: string,
  link: Link,
  { language, sender }: Pick<Consent, 'language'> & { sender: Sender },
): Promise<void> {
  if (link.step !== 'welcome') return;
  const data = { consent: { version: consentVersion, language, agreed: link.consents } };
  const personal = sealedSender(ctx, commandBinding(link.id, ctx.requestId), sender);
  await counted(ctx, 'start', link, carriedOut(ctx, token, link, { name: 'start', data, personal }));
}

export async function submitFlow(ctx: FlowContext, token: string, link: Link): Promise<void> {
  if (link.step !== 'confirm') return;
  await counted(ctx, 'submit', link, carriedOut(ctx, token, link, { name: 'submit', data: {} }));
}

/** Ends the flow, because the person wants no photo of the face and the organisation offers another way (decision 47). */
export async function declineFlow(ctx: FlowContext, token: string, link: Link): Promise<void> {
  if (!link.mayDecline) return;
  await counted(ctx, 'decline', link, carriedOut(ctx, token, link, { name: 'decline', data: {} }));
}

type Command =
  | { name: 'start'; data: { consent: Consent }; personal: Buffer }
  | { name: 'submit' | 'decline'; data: Record<never, never> };

/**
 * Stores the command, then sends its id to the workflow of the verification. If the workflow was lost, the command starts it again
 * (decision 36). If the call to Temporal fails, reads the row to find out whether the command was carried out.
 */
async function carriedOut(ctx: FlowContext, token: string, link: Link, command: Command): Promise<void> {
  const { id, orgId, environment, method, scope, linkVersion } = link;
  const { requestId, deadlineAt } = ctx;
  const data = { ...command.data, linkVersion };
  await commandsOf(scope, ctx.store.db, id).give({ ...command, data, requestId, keyId: null });
  const verification = { verificationId: id, orgId, environment, method };
  const asked = ctx.temporal.command(verification, command.name, { requestId }, deadlineAt);
  await askThenRead(asked, hasGoneOn(ctx, token, link));
}

/**
 * If the workflow answered, the command counts as carried out. If the call failed, the row is read. Then the command counts as
 * carried out if the step of the row has changed.
 */
const hasGoneOn = (ctx: LinkContext, token: string, before: Link) => async (failed: boolean) => {
  const isCarriedOut = !failed || (await findLink(ctx, token))?.step !== before.step;
  return isCarriedOut || undefined;
};

async function counted(
  { instruments }: Pick<Context, 'instruments'>,
  step: 'start' | 'submit' | 'decline',
  { environment }: Link,
  done: Promise<void>,
): Promise<void> {
  const count = (outcome: string) => instruments.flowSteps.add(1, { step, outcome, environment });
  try {
    await done;
    count('done');
  } catch (error) {
    count(problemOf(error).code);
    throw error;
  }
}
