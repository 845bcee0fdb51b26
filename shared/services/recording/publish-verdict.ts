import type { Method } from '#contract/enums.ts';
import type { Decision } from '#contract/workflows.ts';
import { verificationMethods } from '#policy/methods/table.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { type Published, publish } from '../events/publish.ts';
import { reasonTexts } from '../views/view.ts';

type ReachedVerdict = {
  id: string;
  method: Method;
  reference: string | null;
  verdict: Decision;
  at: Date;
  /** The endpoints that subscribe to the event of this moment. */
  subscribers: readonly string[];
};

/** A verdict that a person reviewed has an event of its own (decision 49). The event of an income check has no amount. */
export function publishVerdict(
  tx: Db,
  scope: OrgScope,
  { id, method, reference, verdict, at, subscribers }: ReachedVerdict,
): Published {
  const about = { at, verificationId: id, endpointIds: subscribers };
  const { outcome, reviewed, assuranceLevel } = verdict;
  const data = { reference, status: 'completed', outcome, reasons: reasonTexts(verdict) } as const;
  if (verificationMethods[method].resource === 'income_check') {
    const check = { income_check_id: id, ...data };
    return reviewed
      ? publish(tx, scope, { ...about, type: 'income_check.reviewed', data: { ...check, ...final(outcome) } })
      : publish(tx, scope, { ...about, type: 'income_check.completed', data: check });
  }
  const { reasons, ...rest } = data;
  const verification = { verification_id: id, ...rest, assurance_level: assuranceLevel, reasons };
  return reviewed
    ? publish(tx, scope, {
        ...{ ...about, type: 'verification.reviewed' },
        data: { ...verification, ...final(outcome) },
      })
    : publish(tx, scope, { ...about, type: 'verification.completed', data: verification });
}

/** What a person decided is never a review. */
function final(outcome: Decision['outcome']) {
  if (outcome === 'review') throw new Error('a review ends in a decision');
  return { outcome, reviewed: true } as const;
}
