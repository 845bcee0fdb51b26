import type { DeliveryListQuery, WebhookDeliveryList } from '#contract/webhook.ts';
import { deliveriesOf } from '#store/webhooks/deliveries.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { pageOf } from '../portions/page.ts';
import { requireWebhook } from '../webhooks/get.ts';
import { deliveryView } from './view.ts';

/**
 * Lists the deliveries to an endpoint with their attempts (decision 33). Callers of both environments can list these deliveries
 * (decision 14).
 */
export async function listDeliveries(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { id, status, ...query }: DeliveryListQuery & { id: string },
): Promise<WebhookDeliveryList> {
  assertMay(caller, 'webhooks.see');
  await requireWebhook(store.db, caller.scope, id);
  const { find, newest } = deliveriesOf(caller.scope, store.db, id);
  return pageOf({ find, newest: (page) => newest({ ...page, status }) }, query, deliveryView);
}
