import { TestedWebhook } from '#contract/webhook.ts';
import { writeAtOnce } from '#store/statements.ts';
import type { CallerContext } from '../context.ts';
import { publish } from '../events/publish.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { once } from '../requests/once.ts';
import { requireWebhook } from '../webhooks/get.ts';
import { assertActive } from './assert-active.ts';
import { startAskedDeliveries } from './start.ts';

/** Sends `webhook.test` to one endpoint, whatever its `event_types` are (decision 32). */
export const testWebhook = (ctx: CallerContext, { id }: { id: string }): Promise<GivenAnswer> =>
  once(ctx, 'test_webhook', async (tx) => {
    const endpoint = await requireWebhook(ctx, tx, id);
    assertActive(endpoint);
    const { eventId, deliveryIds, writes } = publish(tx, ctx.scope, {
      type: 'webhook.test',
      data: { webhook_id: id },
      at: endpoint.now,
      verificationId: null,
      endpointIds: [id],
    });
    await writeAtOnce(tx, writes);
    const { orgId, environment } = ctx.scope;
    return {
      status: 202,
      body: TestedWebhook.parse({ id: eventId }),
      afterCommit: () => startAskedDeliveries(ctx, { deliveryIds, orgId, environment, verificationId: null }),
    };
  });
