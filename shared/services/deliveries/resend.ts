import { Problem } from '#contract/errors.ts';
import { uuid } from '#contract/fields.ts';
import { WebhookDelivery } from '#contract/webhook.ts';
import { newUuid } from '#platform/crypto/crypto.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { deliveriesOf } from '#store/webhooks/deliveries.ts';
import { webhookEndpointsOf } from '#store/webhooks/webhook-endpoints.ts';
import { startAskedDeliveries } from '../attempts/start.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../ledger/append.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { type OnceContext, once } from '../requests/once.ts';
import { requireWebhook } from '../webhooks/get.ts';
import { assertActive } from './assert-active.ts';
import { deliveryView } from './view.ts';

type Which = { id: string; delivery_id: string };

/**
 * Sends the event of an earlier delivery again, with the same event id and bytes. The new delivery makes one attempt
 * (decision 34). A resend of a key has no line in the ledger, since the log of requests has it.
 */
export async function resendDelivery(
  ctx: OnceContext & Pick<Context, 'temporal'>,
  caller: Caller,
  which: Which,
): Promise<GivenAnswer> {
  assertMay(caller, 'webhooks.change');
  const { actor, scope } = caller;
  return once(ctx, caller, 'resend_delivery', async (tx) => {
    if (actor.kind !== 'key') await webhookEndpointsOf(scope, tx).lock(which.id);
    const { row, started } = await resend(tx, scope, which);
    if (actor.kind !== 'key') {
      const line = await nextLine(tx, scope, {
        ...{ subjectId: which.id, type: 'webhook.resent', actor, at: row.createdAt },
        data: { delivery_id: row.id, of: which.delivery_id },
      });
      await writeAtOnce(tx, line);
    }
    return {
      status: 202,
      body: WebhookDelivery.parse(deliveryView(row)),
      afterCommit: () => startAskedDeliveries(ctx, started),
    };
  });
}

async function resend(tx: Db, scope: OrgScope, which: Which) {
  const endpoint = await requireWebhook(tx, scope, which.id);
  const { event, ...earlier } = await requireDelivery(tx, scope, which);
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
  await deliveriesOf(scope, tx, which.id).insert(delivery);
  return {
    row: { ...delivery, eventType: event.type, status: 'pending', attempts: [] } as const,
    started: {
      deliveryIds: [delivery.id],
      orgId: scope.orgId,
      environment: earlier.environment,
      verificationId: event.verificationId,
    },
  };
}

/** A malformed delivery id counts as not found. The caller must already have checked the endpoint. */
async function requireDelivery(tx: Db, scope: OrgScope, { id, delivery_id }: Which) {
  const deliveries = deliveriesOf(scope, tx, id);
  const found = uuid.safeParse(delivery_id).success ? await deliveries.find(delivery_id) : undefined;
  const event = found && (await deliveries.holdEvent(found.eventId));
  if (found === undefined || event === undefined) throw new Problem('delivery_not_found');
  return { eventId: found.eventId, environment: found.environment, event };
}
