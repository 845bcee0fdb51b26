import { Problem } from '#contract/errors.ts';
import type { WebhookEndpoint } from '#contract/webhook.ts';
import { webhookEndpointsOf } from '#store/webhook-endpoints.ts';
import type { CallerContext } from '../context.ts';
import { webhookView } from './view.ts';

/** Specification 4.1. Both environments of the organisation see it, also once it is inactive (decisions 14 and 22). */
export async function getWebhook(ctx: CallerContext, { id }: { id: string }): Promise<WebhookEndpoint> {
  const row = await webhookEndpointsOf(ctx.scope, ctx.store.db).find(id);
  if (row === undefined) throw new Problem('webhook_not_found');
  return webhookView(row);
}
