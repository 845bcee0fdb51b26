import type { MadeCheck } from '#contract/examinations.ts';
import type { Decision, Recorded } from '#contract/workflows.ts';
import { assertAllowed, type Trigger } from '#policy/lifecycle.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { commandsOf } from '#store/verifications/commands.ts';
import type { Engine } from '#store/verifications/examinations.ts';
import { type LockedVerification, verificationsOf } from '#store/verifications/verifications.ts';
import { type Actor, nextLine } from '../ledger/append.ts';
import { makingsForLedger, verdictForLedger } from '../ledger/verdict.ts';
import { publishVerdict } from './publish-verdict.ts';
import { stateOf } from './state.ts';

type Completion = {
  decision: Decision;
  actor: Actor;
  trigger: Trigger;
  /** The id of the command, for the ledger. Null if no command completed the verification. */
  requestId: string | null;
  /** The id of the API request that completed it. Null if a person did. */
  completedBy: string | null;
  /** The checks with what made each of them, if they were made. */
  made?: readonly MadeCheck[];
  /** What made the checks, if anything did. */
  engine?: Engine | null;
};

/** Writes verdict, ledger line, event and deliveries of an open verification that the transaction has locked. */
export async function completed(
  tx: Db,
  scope: OrgScope,
  verification: LockedVerification & { subscribers: readonly string[] },
  { decision, actor, trigger, requestId, completedBy, made = [], engine = null }: Completion,
): Promise<Recorded> {
  const { id, method, status, reference, subscribers, now: at } = verification;
  assertAllowed(scope.environment, status, trigger, 'completed');
  const line = await nextLine(tx, scope, {
    subjectId: id,
    type: 'verification.completed',
    actor,
    data: {
      from: status,
      trigger,
      ...(requestId !== null && { request_id: requestId }),
      ...(engine !== null && { engine }),
      ...makingsForLedger(made),
      verdict: verdictForLedger(decision),
    },
    at,
  });
  const reached = { id, method, reference, verdict: decision, at, subscribers };
  const { writes, deliveryIds } = publishVerdict(tx, scope, reached);
  await writeAtOnce(tx, [
    verificationsOf(scope, tx).complete(id, { verdict: decision, at, requestId: completedBy }),
    commandsOf(scope, tx, id).removeAll(),
    ...line,
    ...writes,
  ]);
  return { ...stateOf(verification), status: 'completed', deliveryIds };
}
