import { Problem } from '#contract/errors.ts';
import type { WebhookEndpoint } from '#contract/webhook.ts';
import type { Db } from '#store/connection.ts';
import type { OrgScope } from '#store/scope.ts';
import { webhookEndpointsOf } from '#store/webhook-endpoints.ts';
import type { Context } from '../context.ts';
import { webhookView } from './view.ts';

/** Who may read: a caller with a key, or a member. */
export type ReadContext = Pick<Context, 'store'> & { scope: OrgScope };

/**
 * Returns one endpoint (specification 4.1). Keys of both environments can read it, even if it is inactive (decisions 14 and 22).
 */
export const getWebhook = async (ctx: ReadContext, { id }: { id: string }): Promise<WebhookEndpoint> =>
  webhookView(await requireWebhook(ctx, ctx.store.db, id));

export async function requireWebhook(ctx: Pick<ReadContext, 'scope'>, db: Db, id: string) {
  const endpoint = await webhookEndpointsOf(ctx.scope, db).find(id);
  if (endpoint === undefined) throw new Problem('webhook_not_found');
  return endpoint;
}
