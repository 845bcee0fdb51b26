import { VerificationCompleted } from '#contract/event.ts';
import { limits } from '#contract/limits.ts';
import type { Decision } from '#contract/workflows.ts';
import { newPublicId, newUuid } from '#platform/crypto.ts';
import { endpointsFor } from '#store/deliveries.ts';
import type { Db, Write } from '#store/orm.ts';
import type { OrgScope } from '#store/scope.ts';
import { reasonTexts } from './view.ts';

type Settled = { id: string; reference: string | null; verdict: Decision; at: Date };

/**
 * What follows from a verdict, in the transaction that records it: event `verification.completed` with its body frozen as
 * bytes, and a delivery for each endpoint that it goes to (specification 6.1).
 */
export async function settle(
  tx: Db,
  scope: OrgScope,
  { id, reference, verdict, at }: Settled,
): Promise<{ writes: Write[]; deliveryIds: string[] }> {
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
  const event = { ...owner, id: eventId, type, verificationId: id, body: Buffer.from(JSON.stringify(body)) };
  const deliveries = (await endpointsFor(scope, tx, type)).map((endpoint) => ({
    ...owner,
    id: newUuid(),
    eventId,
    endpointId: endpoint.id,
    attemptsAllowed: limits.deliveryAttemptsMax,
    nextAttemptAt: at,
  }));

  const writes: Write[] = [tx.insertInto('events').values(event)];
  if (deliveries.length > 0) writes.push(tx.insertInto('deliveries').values(deliveries));
  return { writes, deliveryIds: deliveries.map((delivery) => delivery.id) };
}

/** What the ledger keeps of a verdict: all of it, since it holds no personal data. */
export const verdictForLedger = (verdict: Decision) => ({
  outcome: verdict.outcome,
  assurance_level: verdict.assuranceLevel,
  reasons: verdict.reasonIds,
  checks: verdict.checks,
  reviewed: verdict.reviewed,
});
