import { Problem } from '#contract/errors.ts';
import { uuid } from '#contract/fields.ts';
import { WebhookDelivery } from '#contract/webhook.ts';
import { newUuid } from '#platform/crypto.ts';
import type { Db } from '#store/connection.ts';
import { deliveriesOf } from '#store/deliveries.ts';
import type { OrgScope } from '#store/scope.ts';
import { writeAtOnce } from '#store/statements.ts';
import { webhookEndpointsOf } from '#store/webhook-endpoints.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context, Member } from '../context.ts';
import { nextLine } from '../ledger/append.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { type OnceContext, once } from '../requests/once.ts';
import { requireWebhook } from '../webhooks/get.ts';
import { assertActive } from './assert-active.ts';
import { startAskedDeliveries } from './start.ts';
import { deliveryView } from './view.ts';

type Which = { id: string; delivery_id: string };

/**
 * Sends the event of an earlier delivery again, with the same event id and bytes. The new delivery makes one attempt
 * (decision 34).
 */
export async function resendDelivery(
  ctx: OnceContext & Pick<Context, 'temporal'>,
  caller: Caller,
  which: Which,
): Promise<GivenAnswer> {
  assertMay(caller, 'webhooks.change');
  return once(ctx, caller, 'resend_delivery', async (tx) => {
    const { row, started } = await resend(caller, tx, which);
    return {
      status: 202,
      body: WebhookDelivery.parse(deliveryView(row)),
      afterCommit: () => startAskedDeliveries(ctx, started),
    };
  });
}

/** Sends it again for a member, with the same rules. Returns the id of the new delivery. */
export async function resendByMember(
  ctx: Pick<Context, 'store' | 'temporal'> & { scope: OrgScope },
  { id: memberId }: Member,
  which: Which,
): Promise<string> {
  const { row, started } = await ctx.store.transaction(async (tx) => {
    await webhookEndpointsOf(ctx.scope, tx).lock(which.id);
    const resent = await resend(ctx, tx, which);
    const line = await nextLine(tx, ctx.scope, {
      ...{ subjectId: which.id, type: 'webhook.resent', actor: { kind: 'member', id: memberId } },
      ...{ data: { delivery_id: resent.row.id, of: which.delivery_id }, at: resent.row.createdAt },
    });
    await writeAtOnce(tx, line);
    return resent;
  });
  await startAskedDeliveries(ctx, started);
  return row.id;
}

type ScopeContext = { scope: OrgScope };

async function resend({ scope }: ScopeContext, tx: Db, which: Which) {
  const endpoint = await requireWebhook(tx, scope, which.id);
  const { event, ...earlier } = await requireDelivery({ scope }, tx, which);
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
async function requireDelivery({ scope }: ScopeContext, tx: Db, { id, delivery_id }: Which) {
  const deliveries = deliveriesOf(scope, tx, id);
  const found = uuid.safeParse(delivery_id).success ? await deliveries.find(delivery_id) : undefined;
  const event = found && (await deliveries.holdEvent(found.eventId));
  if (found === undefined || event === undefined) throw new Problem('delivery_not_found');
  return { eventId: found.eventId, environment: found.environment, event };
}
