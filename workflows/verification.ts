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
  type VerificationInput,
} from '#contract/workflows.ts';
import { sandboxDecision } from '#policy/sandbox.ts';
import { recordVerdict, recordVerification, startDeliveries } from './activities.ts';
import { showVerification } from './read-out.ts';

const create = defineUpdate<RecordedResult>(createUpdate.name);
const complete = defineUpdate<RecordedResult, [CompleteCommand]>(completeUpdate.name);

/**
 * The life of one verification (specification 3). Its first step writes the row or, in a run that takes up where a lost
 * one was, reads it: so any command may start it again at any time (decision 36).
 */
export async function verification(input: VerificationInput): Promise<RecordedResult> {
  const { verificationId, orgId, environment } = input;
  const whose = { verificationId, orgId, environment };
  let completion: CompleteCommand | undefined;
  // Handlers wait for promises, not conditions: asking for conditions means entering the sandbox once more for each.
  const [recorded, ended] = [outcome(), outcome()];
  const stands = (status: RecordedStatus, linkLeftMs: number) => {
    showVerification(status, linkLeftMs);
    recorded.resolve({ status });
    if (!isOpen(status)) ended.resolve({ status });
    return { status };
  };

  setHandler(create, () => recorded.promise);
  setHandler(
    complete,
    (command) => {
      completion ??= command;
      return ended.promise;
    },
    { validator: (command) => refuseForeign(input, command) },
  );

  const { linkLeftMs, ...birth } = await recordVerification({ ...whose, decision: decisionAtBirth(input) });
  let standing = stands(birth.status, linkLeftMs);
  if (birth.deliveryIds.length > 0) await startDeliveries({ ...whose, deliveryIds: birth.deliveryIds });

  if (isOpen(birth.status)) {
    await condition(() => completion !== undefined, linkLeftMs, { summary: 'until the link expires' });
    if (completion !== undefined) {
      const order = { decision: decisionOf(input, completion), requestId: completion.requestId };
      const { deliveryIds } = await recordVerdict({ ...whose, ...order });
      standing = stands('completed', 0);
      if (deliveryIds.length > 0) await startDeliveries({ ...whose, deliveryIds });
    }
  }

  await condition(allHandlersFinished);
  return standing;
}

function outcome() {
  let resolve: (result: RecordedResult) => void = () => undefined;
  const promise = new Promise<RecordedResult>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const isOpen = (status: RecordedStatus) => status === 'pending' || status === 'in_progress';

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
