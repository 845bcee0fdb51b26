import { TestedWebhook } from '#contract/webhook.ts';
import type { Db } from '#store/connection.ts';
import type { OrgScope } from '#store/scope.ts';
import { writeAtOnce } from '#store/statements.ts';
import { webhookEndpointsOf } from '#store/webhook-endpoints.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context, Member } from '../context.ts';
import { publish } from '../events/publish.ts';
import { nextLine } from '../ledger/append.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { type OnceContext, once } from '../requests/once.ts';
import { requireWebhook } from '../webhooks/get.ts';
import { assertActive } from './assert-active.ts';
import { startAskedDeliveries } from './start.ts';

/** Sends `webhook.test` to one endpoint, whatever its `event_types` are (decision 32). */
export async function testWebhook(
  ctx: OnceContext & Pick<Context, 'temporal'>,
  caller: Caller,
  { id }: { id: string },
): Promise<GivenAnswer> {
  assertMay(caller, 'webhooks.change');
  return once(ctx, caller, 'test_webhook', async (tx) => {
    const { eventId, started } = await sendTest(caller, tx, id);
    return {
      status: 202,
      body: TestedWebhook.parse({ id: eventId }),
      afterCommit: () => startAskedDeliveries(ctx, started),
    };
  });
}

/** Sends the event for a member, with the same rules. Returns the id of its delivery. */
export async function testWebhookByMember(
  ctx: Pick<Context, 'store' | 'temporal'> & { scope: OrgScope },
  { id: memberId }: Member,
  id: string,
): Promise<string> {
  const { started } = await ctx.store.transaction(async (tx) => {
    await webhookEndpointsOf(ctx.scope, tx).lock(id);
    const sent = await sendTest(ctx, tx, id);
    const line = await nextLine(tx, ctx.scope, {
      ...{ subjectId: id, type: 'webhook.tested', actor: { kind: 'member', id: memberId } },
      ...{ data: { delivery_id: sent.started.deliveryIds[0] ?? null }, at: sent.at },
    });
    await writeAtOnce(tx, line);
    return sent;
  });
  await startAskedDeliveries(ctx, started);
  return started.deliveryIds[0] ?? '';
}

async function sendTest({ scope }: { scope: OrgScope }, tx: Db, id: string) {
  const endpoint = await requireWebhook(tx, scope, id);
  assertActive(endpoint);
  const { eventId, deliveryIds, writes } = publish(tx, scope, {
    type: 'webhook.test',
    data: { webhook_id: id },
    at: endpoint.now,
    verificationId: null,
    endpointIds: [id],
  });
  await writeAtOnce(tx, writes);
  const { orgId, environment } = scope;
  const started = { deliveryIds, orgId, environment, verificationId: null };
  return { eventId, started, at: endpoint.now };
}
