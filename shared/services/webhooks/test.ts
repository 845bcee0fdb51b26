import { WebhookTest } from '#contract/event.ts';
import { TestedWebhook } from '#contract/webhook.ts';
import { newPublicId } from '#platform/crypto.ts';
import { writeAtOnce } from '#store/orm.ts';
import type { CallerContext } from '../context.ts';
import { askedDelivery, assertActive } from '../deliveries/ask-for.ts';
import { startAskedDelivery } from '../deliveries/start.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { once } from '../requests/once.ts';
import { requireWebhook } from './get.ts';

/** Sends `webhook.test` to one endpoint, whatever that is subscribed to (decision 32). */
export const testWebhook = (ctx: CallerContext, { id }: { id: string }): Promise<GivenAnswer> =>
  once(ctx, 'test_webhook', async (tx) => {
    const { now: at, ...endpoint } = await requireWebhook(ctx, tx, id);
    assertActive(endpoint);
    const { orgId, environment } = ctx.scope;
    const eventId = newPublicId('evt_');
    const type = 'webhook.test';
    const body = WebhookTest.parse({
      id: eventId,
      type,
      created: Math.floor(at.getTime() / 1_000),
      environment,
      data: { webhook_id: id },
    });
    const event = { id: eventId, type, orgId, environment, createdAt: at, verificationId: null };
    const delivery = askedDelivery(ctx, { endpointId: id, eventId, environment, trigger: 'test', at });
    await writeAtOnce(tx, [
      tx.insertInto('events').values({ ...event, body: Buffer.from(JSON.stringify(body)) }),
      tx.insertInto('deliveries').values(delivery),
    ]);
    return {
      status: 202,
      body: TestedWebhook.parse({ id: eventId }),
      afterCommit: () => startAskedDelivery(ctx, delivery, event),
    };
  });
