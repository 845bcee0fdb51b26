import type { DeliveryListQuery, WebhookDeliveryList } from '#contract/webhook.ts';
import { deliveriesOf } from '#store/deliveries.ts';
import type { CallerContext } from '../context.ts';
import { pageOf } from '../lists/page.ts';
import { requireWebhook } from '../webhooks/get.ts';
import { deliveryView } from './view.ts';

/**
 * Lists the deliveries to an endpoint with their attempts (decision 33). Keys of both environments can list these deliveries
 * (decision 14).
 */
export async function listDeliveries(
  ctx: CallerContext,
  { id, status, ...query }: DeliveryListQuery & { id: string },
): Promise<WebhookDeliveryList> {
  const { db } = ctx.store;
  await requireWebhook(ctx, db, id);
  const { find, newest } = deliveriesOf(ctx.scope, db, id);
  return pageOf({ find, newest: (page) => newest({ ...page, status }) }, query, deliveryView);
}
