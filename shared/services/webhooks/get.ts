import { Problem } from '#contract/errors.ts';
import type { WebhookEndpoint } from '#contract/webhook.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { webhookEndpointsOf } from '#store/webhooks/webhook-endpoints.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { webhookView } from './view.ts';

/**
 * Returns one endpoint (specification 4.1). Callers of both environments can read it, even if it is inactive (decisions 14 and 22).
 */
export async function getWebhook(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { id }: { id: string },
): Promise<WebhookEndpoint> {
  assertMay(caller, 'webhooks.see');
  return webhookView(await requireWebhook(store.db, caller.scope, id));
}

export async function requireWebhook(db: Db, scope: OrgScope, id: string) {
  const endpoint = await webhookEndpointsOf(scope, db).find(id);
  if (endpoint === undefined) throw new Problem('webhook_not_found');
  return endpoint;
}
