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
  /** The endpoints that subscribe to `verdictEvent`. */
  subscribers: readonly string[];
};

export const verdictEvent = 'verification.completed';

export const publishVerdict = (
  tx: Db,
  scope: OrgScope,
  { id, reference, verdict, at, subscribers }: ReachedVerdict,
): Published =>
  publish(tx, scope, {
    type: verdictEvent,
    data: {
      verification_id: id,
      reference,
      status: 'completed',
      outcome: verdict.outcome,
      assurance_level: verdict.assuranceLevel,
      reasons: reasonTexts(verdict),
    },
    at,
    verificationId: id,
    endpointIds: subscribers,
  });
