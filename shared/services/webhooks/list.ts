import type { ListQuery } from '#contract/list.ts';
import type { WebhookEndpointList } from '#contract/webhook.ts';
import { webhookEndpointsOf } from '#store/webhooks/webhook-endpoints.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { pageOf } from '../portions/page.ts';
import { webhookView } from './view.ts';

/** Lists the endpoints of the organisation, including inactive endpoints (specification 4.1; decisions 14 and 19). */
export async function listWebhooks(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  query: ListQuery,
): Promise<WebhookEndpointList> {
  assertMay(caller, 'webhooks.see');
  return pageOf(webhookEndpointsOf(caller.scope, store.db), query, webhookView);
}
