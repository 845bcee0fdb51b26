import type { Decision } from '#contract/workflows.ts';
import type { Db } from '#store/connection.ts';
import type { OrgScope } from '#store/scope.ts';
import { type Published, publish } from '../events/publish.ts';
import { reasonTexts } from './view.ts';

type ReachedVerdict = {
  id: string;
  reference: string | null;
  verdict: Decision;
  at: Date;
  /** The endpoints that subscribe to `verdictEvent`, or to `reviewEvent` after a review. */
  subscribers: readonly string[];
};

export const verdictEvent = 'verification.completed';
export const reviewEvent = 'verification.reviewed';

/** A verdict that a person reviewed has an event of its own (decision 49). */
export function publishVerdict(
  tx: Db,
  scope: OrgScope,
  { id, reference, verdict, at, subscribers }: ReachedVerdict,
): Published {
  const data = {
    verification_id: id,
    reference,
    status: 'completed',
    outcome: verdict.outcome,
    assurance_level: verdict.assuranceLevel,
    reasons: reasonTexts(verdict),
  } as const;
  const about = { at, verificationId: id, endpointIds: subscribers };
  if (!verdict.reviewed) return publish(tx, scope, { ...about, type: verdictEvent, data });
  const { outcome } = verdict;
  if (outcome === 'review') throw new Error('a review ends in a decision');
  return publish(tx, scope, { ...about, type: reviewEvent, data: { ...data, outcome, reviewed: true } });
}
