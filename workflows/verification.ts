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

/** The state of a verification, and the ids of deliveries whose workflow must still be started. */
type Progress = Required<RecordedVerification>;

/**
 * The workflow of one verification (specification 3). The first step writes the row. If the run replaces a lost run, the first step
 * reads the row instead. Therefore any command may start a new run at any time (decision 36). Then the workflow carries out one
 * order after the other, as long as the verification is open and its link is valid.
 */
export async function verification(input: VerificationInput): Promise<RecordedResult> {
  const inbox = createInbox();
  receiveCommands(input, inbox);

  let progress = await recordOrRead(input);
  announce(inbox, progress);
  if (progress.deliveryIds.length > 0) await startAll(input, progress);
  if (progress.submitted) await inbox.waitForNothing(progress.linkLeftMs);
  while (isOpen(progress)) {
    // After a submission, the verdict comes before any other order.
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

/**
 * Refuses a `complete` command of another organisation or environment. In live, every `complete` command is refused, since only the
 * end user completes a live verification.
 */
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

/**
 * If the creator asked for `autoComplete`, a sandbox verification is completed at its creation. Otherwise it stays pending, as in
 * live.
 */
async function recordOrRead(input: VerificationInput): Promise<Progress> {
  const decision = input.sandbox?.autoComplete ? sandboxDecisionOf(input, null) : null;
  const recorded = await recordVerification({ ...refOf(input), decision });
  return { ...recorded, submitted: recorded.submitted ?? false };
}

/**
 * The verdict on a submission. In live, the verdict follows from the checks. In sandbox, it follows from the scenario that the
 * creator chose.
 */
async function conclusionOf(input: VerificationInput): Promise<Decision> {
  if (input.sandbox !== null) return sandboxDecisionOf(input, null);
  return decide(input.method, await runChecks(refOf(input)));
}

/** `requestId` is the id of the API request. It is null if the end user completed the flow. */
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
