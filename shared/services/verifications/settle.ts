import { VerificationCompleted } from '#contract/event.ts';
import type { Decision } from '#contract/workflows.ts';
import { newPublicId, newUuid } from '#platform/crypto.ts';
import { eventWrites } from '#store/deliveries.ts';
import type { Db, Write } from '#store/orm.ts';
import type { OrgScope } from '#store/scope.ts';
import { reasonTexts } from './view.ts';

type Settled = {
  id: string;
  reference: string | null;
  verdict: Decision;
  at: Date;
  /** Where the event goes to. */
  endpointIds: readonly string[];
};

export const verdictEvent = 'verification.completed';

/**
 * What follows from a verdict, in the transaction that records it: event `verification.completed` with its body frozen as
 * bytes, and a delivery for each endpoint that it goes to (specification 6.1).
 */
export function settle(
  tx: Db,
  { orgId, environment }: OrgScope,
  { id, reference, verdict, at, endpointIds }: Settled,
): { writes: Write[]; deliveryIds: string[] } {
  const eventId = newPublicId('evt_');
  const body = VerificationCompleted.parse({
    id: eventId,
    type: verdictEvent,
    created: Math.floor(at.getTime() / 1_000),
    environment,
    data: {
      verification_id: id,
      reference,
      status: 'completed',
      outcome: verdict.outcome,
      assurance_level: verdict.assuranceLevel,
      reasons: reasonTexts(verdict),
    },
  });
  const event = {
    ...({ id: eventId, type: verdictEvent, orgId, environment, verificationId: id, createdAt: at } as const),
    body: Buffer.from(JSON.stringify(body)),
  };
  const deliveries = endpointIds.map((endpointId) => ({ id: newUuid(), endpointId }));
  return {
    writes: eventWrites(tx, event, deliveries),
    deliveryIds: deliveries.map((delivery) => delivery.id),
  };
}

/** What the ledger keeps of a verdict: all of it, since it holds no personal data. */
export const verdictForLedger = (verdict: Decision) => ({
  outcome: verdict.outcome,
  assurance_level: verdict.assuranceLevel,
  reasons: verdict.reasonIds,
  checks: verdict.checks,
  reviewed: verdict.reviewed,
});
