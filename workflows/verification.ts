import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow';
import {
  type CompleteCommand,
  completeUpdate,
  createUpdate,
  type Decision,
  type RecordedResult,
  type RecordedStatus,
  type StartCommand,
  type SubmitCommand,
  startUpdate,
  submitUpdate,
  type VerificationInput,
  type Whose,
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
import { showVerification } from './read-out.ts';

const create = defineUpdate<RecordedResult>(createUpdate.name);
const start = defineUpdate<RecordedResult, [StartCommand]>(startUpdate.name);
const submit = defineUpdate<RecordedResult, [SubmitCommand]>(submitUpdate.name);
const complete = defineUpdate<RecordedResult, [CompleteCommand]>(completeUpdate.name);

/** Where a verification stands, how long its link still works, and whether its person has handed everything in. */
type Standing = { status: RecordedStatus; linkLeftMs: number; submitted: boolean };
type Answer = (result: RecordedResult) => void;
/** Carries out what was asked, and reports where things stand by then: once, or again when it is further. */
type Command = (report: (reached: Standing) => void, now: Standing) => Promise<void>;

/**
 * The life of one verification (specification 3). Its first step writes the row or, in a run that takes up where a lost
 * one was, reads it: so any command may start it again at any time (decision 36). Then it carries out one command after the
 * other, until there is a verdict or the link expires.
 */
export async function verification(input: VerificationInput): Promise<RecordedResult> {
  // Handlers wait for promises, not conditions: asking for conditions means entering the sandbox once more for each.
  const recorded = outcome();
  const inbox: { command: Command; answer: Answer }[] = [];
  let standing: Standing | undefined;
  const ask = async (command: Command): Promise<RecordedResult> => {
    if (standing !== undefined && !isOpen(standing)) return { status: standing.status };
    const { promise, resolve } = outcome();
    inbox.push({ command, answer: resolve });
    return promise;
  };

  setHandler(create, () => recorded.promise);
  setHandler(start, (order) => ask(starting(input, order)));
  // Whoever presses twice need not wait until the checks are through.
  setHandler(submit, async (order) =>
    standing?.submitted ? { status: standing.status } : ask(submitting(input, order)),
  );
  setHandler(complete, (order) => ask(completing(input, order)), {
    validator: (order) => refuseForeign(input, order),
  });

  const birth = await recordVerification({ ...whose(input), decision: decisionAtBirth(input) });
  standing = { status: birth.status, linkLeftMs: birth.linkLeftMs, submitted: birth.submitted ?? false };
  show(standing);
  recorded.resolve({ status: birth.status });
  await startAll(input, birth.deliveryIds);
  if (standing.submitted) void ask(concluding(input));

  while (isOpen(standing)) {
    await condition(() => inbox.length > 0, standing.linkLeftMs, { summary: 'until the link expires' });
    const next = inbox.shift();
    if (next === undefined) break;
    const report = (reached: Standing) => {
      standing = reached;
      show(reached);
      next.answer({ status: reached.status });
      if (!isOpen(reached)) for (const { answer } of inbox.splice(0)) answer({ status: reached.status });
    };
    await next.command(report, standing);
  }

  await condition(allHandlersFinished);
  return { status: standing.status };
}

function outcome(): { promise: Promise<RecordedResult>; resolve: Answer } {
  let resolve: Answer = () => undefined;
  const promise = new Promise<RecordedResult>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const whose = ({ verificationId, orgId, environment }: VerificationInput): Whose => ({
  verificationId,
  orgId,
  environment,
});

const show = ({ status, linkLeftMs, submitted }: Standing): void =>
  showVerification(status, linkLeftMs, submitted);

const isOpen = ({ status }: Standing) => status === 'pending' || status === 'in_progress';

/** The person has consented and pressed Start (decision 6). */
const starting =
  (input: VerificationInput, order: StartCommand): Command =>
  async (report, { submitted }) =>
    report({ ...(await recordStart({ ...whose(input), ...order })), submitted });

/** The person has handed everything in, and need not wait for what comes of it. */
const submitting =
  (input: VerificationInput, order: SubmitCommand): Command =>
  async (report) => {
    const reached = await recordSubmission({ ...whose(input), ...order });
    report(reached);
    if (reached.submitted && isOpen(reached)) await concluding(input)(report, reached);
  };

/** What a person's flow ends with: in live by what the checks found, in sandbox as its creator asked for. */
const concluding =
  (input: VerificationInput): Command =>
  async (report) => {
    const decision = input.sandbox
      ? sandboxDecision(input.method, input.sandbox.scenario)
      : decide(input.method, await runChecks(whose(input)));
    await settle(input, { decision, requestId: null }, report);
  };

const completing =
  (input: VerificationInput, order: CompleteCommand): Command =>
  (report) =>
    settle(input, { decision: decisionOf(input, order), requestId: order.requestId }, report);

type Verdict = { decision: Decision; requestId: string | null };

async function settle(
  input: VerificationInput,
  verdict: Verdict,
  report: (reached: Standing) => void,
): Promise<void> {
  const { deliveryIds, instead } = await recordVerdict({ ...whose(input), ...verdict });
  report(
    instead === undefined
      ? { status: 'completed', linkLeftMs: 0, submitted: true }
      : { ...instead, submitted: false },
  );
  await startAll(input, deliveryIds);
}

/** Deliveries whose workflow was not started where they were committed. */
async function startAll(input: VerificationInput, deliveryIds: string[]): Promise<void> {
  if (deliveryIds.length > 0) await startDeliveries({ ...whose(input), deliveryIds });
}

/** A sandbox verification completes itself at once unless its creator asked to imitate the asynchronous life. */
function decisionAtBirth({ sandbox, method }: VerificationInput): Decision | null {
  return sandbox?.autoComplete ? sandboxDecision(method, sandbox.scenario) : null;
}

function decisionOf({ sandbox, method }: VerificationInput, { scenario }: CompleteCommand): Decision {
  return sandboxDecision(method, scenario ?? sandbox?.scenario ?? 'approved');
}

/** In live only the person completes a verification; and an id of another organisation or environment is no id at all. */
function refuseForeign(input: VerificationInput, command: CompleteCommand): void {
  if (
    input.environment !== 'sandbox' ||
    command.environment !== input.environment ||
    command.orgId !== input.orgId
  )
    throw ApplicationFailure.nonRetryable('not_sandbox', 'not_sandbox');
}
