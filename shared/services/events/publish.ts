import { type EventBody, events, type SentEventType } from '#contract/events.ts';
import { limits } from '#contract/limits.ts';
import { eventIdOf, newPublicId, newUuid } from '#platform/crypto/crypto.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import type { Write } from '#store/database/statements.ts';
import { eventWrites } from '#store/webhooks/events.ts';

type Publication<Type extends SentEventType> = {
  type: Type;
  data: EventBody<Type>['data'];
  at: Date;
  /** The verification that the event is about. A verification has at most one event of each type. */
  verificationId: string | null;
  /**
   * The ids of the subscribed endpoints, which the query that locks the verification or its request also reads. A test event has
   * only the endpoint that the caller named.
   */
  endpointIds: readonly string[];
};

export type Published = { eventId: string; deliveryIds: string[]; writes: Write[] };

/**
 * Builds the event with its final bytes, and one delivery for each endpoint (specification 6.1). The caller must execute `writes`
 * in the transaction that records the cause of the event.
 */
export function publish<Type extends SentEventType>(
  tx: Db,
  scope: OrgScope,
  { type, data, at, verificationId, endpointIds }: Publication<Type>,
): Published {
  const { body, subscribable } = events[type];
  const id = verificationId === null ? newPublicId('evt_') : eventIdOf(verificationId, type);
  const created = Math.floor(at.getTime() / 1_000);
  const frozen = Buffer.from(
    JSON.stringify(body.parse({ id, type, created, environment: scope.environment, data })),
  );
  const event = { id, type, verificationId, createdAt: at, body: frozen };
  const deliveries = endpointIds.map((endpointId) => ({ id: newUuid(), endpointId }));
  return {
    eventId: id,
    deliveryIds: deliveries.map((delivery) => delivery.id),
    writes: eventWrites(scope, tx, event, deliveries, subscribable ? bySubscription : byRequest),
  };
}

const bySubscription = { trigger: 'event', attemptsAllowed: limits.deliveryAttemptsMax } as const;
const byRequest = { trigger: 'test', attemptsAllowed: 1 } as const;
