import { Problem } from '#contract/errors.ts';
import { newUuid } from '#platform/crypto/crypto.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { deliveryOrdersOf, type OrderRow } from '#store/webhooks/delivery-orders.ts';
import { webhookEndpointsOf } from '#store/webhooks/webhook-endpoints.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../ledger/append.ts';
import { assertActive } from './assert-active.ts';

/** `createdBefore` is the first moment after the span. */
export type FailedSpan = { createdFrom: Date; createdBefore: Date };

/** One order sends `sends` events at most, and looks at `lookedAt` deliveries at a time. For more, a member orders again. */
export const resendLimits = { sends: 10_000, lookedAt: 1_000 };
export type ResendLimits = typeof resendLimits;

/** The number of failed deliveries that are looked at before an order is taken. */
const countedMax = 100_000;

export type { OrderRow };

/**
 * Orders that all events are sent again whose deliveries to this endpoint failed and were created in this span. A worker carries the
 * order out (`carry-out-orders.ts`). Returns how many the order will send, as far as it is known, or why there is no order: nothing is to
 * be sent, or an earlier order is not yet carried out. Throws `webhook_not_found` or `webhook_inactive`.
 */
export async function orderResends(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { id: endpointId, ...span }: FailedSpan & { id: string },
): Promise<{ expected: number } | { refused: 'nothing_failed' | 'under_way' }> {
  assertMay(caller, 'webhooks.change');
  const { actor, scope } = caller;
  const memberId = actor.kind === 'member' ? actor.id : null;
  return store.transaction(async (tx) => {
    const endpoint = await webhookEndpointsOf(scope, tx).lock(endpointId);
    if (endpoint === undefined) throw new Problem('webhook_not_found');
    assertActive(endpoint);
    const orders = deliveryOrdersOf(scope, tx, endpointId);
    const { wanted, lookedAt } = await orders.countFailed(span, countedMax);
    if (wanted === 0 && lookedAt < countedMax) return { refused: 'nothing_failed' };
    const expected = Math.min(wanted, resendLimits.sends);
    const order = { id: newUuid(), kind: 'resend', memberId, expected, ...span } as const;
    if (!(await orders.insert(order))) return { refused: 'under_way' };
    const line = await nextLine(tx, scope, {
      subjectId: endpointId,
      type: 'webhook.resends_ordered',
      actor,
      data: {
        order_id: order.id,
        created_from: span.createdFrom.toISOString(),
        created_before: span.createdBefore.toISOString(),
        failed: expected,
      },
      at: endpoint.now,
    });
    await writeAtOnce(tx, line);
    return { expected };
  });
}

const shownOrders = 3;

/** The newest orders for an endpoint, with their progress. */
export async function listResendOrders(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { id }: { id: string },
): Promise<OrderRow[]> {
  assertMay(caller, 'webhooks.see');
  return deliveryOrdersOf(caller.scope, store.db, id).newest('resend', shownOrders);
}
