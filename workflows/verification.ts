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
  let status: RecordedStatus | undefined;
  let completion: CompleteCommand | undefined;
  const standing = async (until: (status: RecordedStatus) => boolean): Promise<RecordedResult> => {
    await condition(() => status !== undefined && until(status));
    return { status: status ?? 'missing' };
  };

  setHandler(create, () => standing(() => true));
  setHandler(
    complete,
    (command) => {
      completion ??= command;
      return standing((status) => !isOpen(status));
    },
    { validator: (command) => refuseForeign(input, command) },
  );

  const deliver = async (deliveryIds: string[]) => {
    if (deliveryIds.length > 0) await startDeliveries({ ...whose, deliveryIds });
  };

  const recorded = await recordVerification({ ...whose, decision: decisionAtBirth(input) });
  status = recorded.status;
  showVerification(status, recorded.linkLeftMs);
  await deliver(recorded.deliveryIds);

  if (isOpen(status)) {
    await condition(() => completion !== undefined, recorded.linkLeftMs, {
      summary: 'until the link expires',
    });
    if (completion !== undefined) {
      const { requestId } = completion;
      const verdict = await recordVerdict({
        ...whose,
        decision: decisionOf(input, completion),
        requestId,
      });
      status = 'completed';
      showVerification(status, 0);
      await deliver(verdict.deliveryIds);
    }
  }

  await condition(allHandlersFinished);
  return { status };
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
