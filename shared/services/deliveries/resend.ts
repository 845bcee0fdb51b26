import { Problem } from '#contract/errors.ts';
import { uuid } from '#contract/fields.ts';
import { WebhookDelivery } from '#contract/webhook.ts';
import { newUuid } from '#platform/crypto.ts';
import type { Db } from '#store/connection.ts';
import { deliveriesOf } from '#store/deliveries.ts';
import type { CallerContext } from '../context.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { once } from '../requests/once.ts';
import { requireWebhook } from '../webhooks/get.ts';
import { assertActive } from './assert-active.ts';
import { startAskedDeliveries } from './start.ts';
import { deliveryView } from './view.ts';

type Which = { id: string; delivery_id: string };

/**
 * Sends the event of an earlier delivery again, with the same event id and bytes. The new delivery makes one attempt
 * (decision 34).
 */
export const resendDelivery = (ctx: CallerContext, which: Which): Promise<GivenAnswer> =>
  once(ctx, 'resend_delivery', async (tx) => {
    const endpoint = await requireWebhook(ctx, tx, which.id);
    const { event, ...earlier } = await requireDelivery(ctx, tx, which);
    assertActive(endpoint);
    if (!event.hasBody) throw new Problem('event_expired');
    const delivery = {
      ...earlier,
      id: newUuid(),
      trigger: 'resend',
      attemptsAllowed: 1,
      createdAt: endpoint.now,
      nextAttemptAt: endpoint.now,
    } as const;
    await deliveriesOf(ctx.scope, tx, which.id).insert(delivery);
    const row = { ...delivery, eventType: event.type, status: 'pending', attempts: [] } as const;
    const started = {
      deliveryIds: [delivery.id],
      orgId: ctx.scope.orgId,
      environment: earlier.environment,
      verificationId: event.verificationId,
    };
    return {
      status: 202,
      body: WebhookDelivery.parse(deliveryView(row)),
      afterCommit: () => startAskedDeliveries(ctx, started),
    };
  });

/** A malformed delivery id counts as not found. The caller must already have checked the endpoint. */
async function requireDelivery(ctx: CallerContext, tx: Db, { id, delivery_id }: Which) {
  const deliveries = deliveriesOf(ctx.scope, tx, id);
  const found = uuid.safeParse(delivery_id).success ? await deliveries.find(delivery_id) : undefined;
  const event = found && (await deliveries.holdEvent(found.eventId));
  if (found === undefined || event === undefined) throw new Problem('delivery_not_found');
  return { eventId: found.eventId, environment: found.environment, event };
}
