import type { ListQuery } from '#contract/list.ts';
import type { WebhookEndpointList } from '#contract/webhook.ts';
import { webhookEndpointsOf } from '#store/webhook-endpoints.ts';
import { pageOf } from '../lists/page.ts';
import type { ReadContext } from './get.ts';
import { webhookView } from './view.ts';

/** Lists the endpoints of the organisation, including inactive endpoints (specification 4.1; decisions 14 and 19). */
export const listWebhooks = (ctx: ReadContext, query: ListQuery): Promise<WebhookEndpointList> =>
  pageOf(webhookEndpointsOf(ctx.scope, ctx.store.db), query, webhookView);
