import { ApplicationFailure, allHandlersFinished, condition, setHandler } from '@temporalio/workflow';
import type {
  CompleteCommand,
  Decision,
  RecordedResult,
  RecordedVerification,
  VerificationInput,
  VerificationRef,
} from '#contract/workflows.ts';
import { decide } from '#policy/decide.ts';
import { sandboxDecision } from '#policy/sandbox.ts';
import {
  recordStart,
  recordSubmission,
  recordVerdict,
  recordVerification,
  runChecks,
  startDeliveries,
} from './activities.ts';
import { complete, create, createInbox, type Inbox, isOpen, type Order, start, submit } from './inbox.ts';
import { showVerification } from './operator-view.ts';

/** The state of a verification, and the deliveries whose workflow is still to be started. */
type Progress = Required<RecordedVerification>;

/**
 * The life of one verification (specification 3). The first step writes the row; a run that replaces a lost one reads the
 * row instead, so any command may start a new run at any time (decision 36). Then the workflow carries out one order after
 * the other, until there is a verdict or the link expires.
 */
export async function verification(input: VerificationInput): Promise<RecordedResult> {
  const inbox = createInbox();
  receiveCommands(input, inbox);

  let progress = await recordOrRead(input);
  announce(inbox, progress);
  if (progress.deliveryIds.length > 0) await startAll(input, progress);
  if (progress.submitted) await inbox.waitForNothing(progress.linkLeftMs);
  while (isOpen(progress)) {
    // A submission is concluded before any other order.
    const order = progress.submitted ? conclude : await inbox.next(progress.linkLeftMs);
    if (order === undefined) break;
    progress = await carryOut(input, order, progress);
    announce(inbox, progress);
    if (progress.deliveryIds.length > 0) await startAll(input, progress);
  }

  inbox.close();
  await condition(allHandlersFinished);
  return { status: progress.status };
}

function receiveCommands(input: VerificationInput, inbox: Inbox): void {
  setHandler(create, () => inbox.opened);
  setHandler(start, (command) => inbox.ask({ name: 'start', command }));
  setHandler(submit, (command) => inbox.ask({ name: 'submit', command }));
  setHandler(complete, (command) => inbox.ask({ name: 'complete', command }), {
    validator: (command) => refuseForeign(input, command),
  });
}

/** In live only the end user completes a verification. A command of another organisation or environment is foreign. */
function refuseForeign(input: VerificationInput, command: CompleteCommand): void {
  if (
    input.environment !== 'sandbox' ||
    command.environment !== input.environment ||
    command.orgId !== input.orgId
  )
    throw ApplicationFailure.nonRetryable('not_sandbox', 'not_sandbox');
}

function announce(inbox: Inbox, progress: Progress): void {
  showVerification(progress);
  inbox.report(progress);
}

const startAll = (input: VerificationInput, { deliveryIds }: Progress): Promise<void> =>
  startDeliveries({ ...refOf(input), deliveryIds });

const conclude: Order = { name: 'conclude' };

async function carryOut(input: VerificationInput, order: Order, progress: Progress): Promise<Progress> {
  const ref = refOf(input);
  switch (order.name) {
    case 'start':
      return { ...progress, ...(await recordStart({ ...ref, ...order.command })), deliveryIds: [] };
    case 'submit':
      return { ...(await recordSubmission({ ...ref, ...order.command })), deliveryIds: [] };
    case 'complete': {
      const { scenario, requestId } = order.command;
      return recordDecision(input, sandboxDecisionOf(input, scenario), requestId);
    }
    case 'conclude':
      return recordDecision(input, await conclusionOf(input), null);
  }
}

/** A sandbox verification completes itself at once, unless its creator asked to imitate the asynchronous life. */
async function recordOrRead(input: VerificationInput): Promise<Progress> {
  const decision = input.sandbox?.autoComplete ? sandboxDecisionOf(input, null) : null;
  const recorded = await recordVerification({ ...refOf(input), decision });
  return { ...recorded, submitted: recorded.submitted ?? false };
}

/** The verdict on a submission: in live by the checks, in sandbox by the scenario that the creator chose. */
async function conclusionOf(input: VerificationInput): Promise<Decision> {
  if (input.sandbox !== null) return sandboxDecisionOf(input, null);
  return decide(input.method, await runChecks(refOf(input)));
}

/** `requestId` is that of the API's request; null when the end user completed the flow. */
async function recordDecision(
  input: VerificationInput,
  decision: Decision,
  requestId: string | null,
): Promise<Progress> {
  const { deliveryIds, instead } = await recordVerdict({ ...refOf(input), decision, requestId });
  return instead === undefined
    ? { status: 'completed', linkLeftMs: 0, submitted: true, deliveryIds }
    : { ...instead, submitted: false, deliveryIds };
}

const sandboxDecisionOf = (
  { method, sandbox }: VerificationInput,
  scenario: CompleteCommand['scenario'],
): Decision => sandboxDecision(method, scenario ?? sandbox?.scenario ?? 'approved');

const refOf = ({ verificationId, orgId, environment }: VerificationInput): VerificationRef => ({
  verificationId,
  orgId,
  environment,
});
