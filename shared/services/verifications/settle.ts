import { VerificationCompleted } from '#contract/event.ts';
import { limits } from '#contract/limits.ts';
import type { Decision } from '#contract/workflows.ts';
import { newPublicId, newUuid } from '#platform/crypto.ts';
import { endpointsFor } from '#store/deliveries.ts';
import { Delivery } from '#store/entities/delivery.ts';
import { Event } from '#store/entities/event.ts';
import type { Tx } from '#store/orm.ts';
import type { OrgScope } from '#store/scope.ts';
import { reasonTexts } from './view.ts';

type Settled = { id: string; reference: string | null; verdict: Decision; at: Date };

/**
 * What follows from a verdict, in the transaction that records it: event `verification.completed` with its body frozen as
 * bytes, and a delivery for each endpoint that it goes to (specification 6.1). Returns the deliveries' ids.
 */
export async function settle(
  tx: Tx,
  scope: OrgScope,
  { id, reference, verdict, at }: Settled,
): Promise<string[]> {
  const type = 'verification.completed';
  const eventId = newPublicId('evt_');
  const body = VerificationCompleted.parse({
    id: eventId,
    type,
    created: Math.floor(at.getTime() / 1_000),
    environment: scope.environment,
    data: {
      verification_id: id,
      reference,
      status: 'completed',
      outcome: verdict.outcome,
      assurance_level: verdict.assuranceLevel,
      reasons: reasonTexts(verdict),
    },
  });
  const owner = { orgId: scope.orgId, environment: scope.environment, createdAt: at };
  tx.em.create(Event, {
    ...owner,
    id: eventId,
    type,
    verificationId: id,
    body: Buffer.from(JSON.stringify(body)),
  });

  const endpoints = await endpointsFor(scope, tx, type);
  return endpoints.map((endpoint) => {
    const deliveryId = newUuid();
    tx.em.create(Delivery, {
      ...owner,
      id: deliveryId,
      eventId,
      endpointId: endpoint.id,
      attemptsAllowed: limits.deliveryAttemptsMax,
      nextAttemptAt: at,
    });
    return deliveryId;
  });
}

/** What the ledger keeps of a verdict: all of it, since it holds no personal data. */
export const verdictForLedger = (verdict: Decision) => ({
  outcome: verdict.outcome,
  assurance_level: verdict.assuranceLevel,
  reasons: verdict.reasonIds,
  checks: verdict.checks,
  reviewed: verdict.reviewed,
});
