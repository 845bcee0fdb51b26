import { Problem } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { CreatedWebhookEndpoint, CreateWebhook } from '#contract/webhook.ts';
import { newUuid, newWebhookSecret } from '#platform/crypto/crypto.ts';
import { mayRegister } from '#platform/outbound/addresses.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { webhookEndpointsOf } from '#store/webhooks/webhook-endpoints.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { RequestContext } from '../context.ts';
import { firstLine } from '../ledger/append.ts';
import { environmentOf, noteSandboxChange } from './note-sandbox-change.ts';
import { sealWebhookSecret } from './secret.ts';
import { webhookView } from './view.ts';

/** Registers an endpoint (specification 4.1; decisions 14 and 23). Only the answer to the registration contains this secret. */
export async function createWebhook(
  ctx: Pick<RequestContext, 'store' | 'secrets' | 'addresses' | 'log'>,
  caller: Caller,
  input: CreateWebhook,
): Promise<CreatedWebhookEndpoint> {
  assertMay(caller, 'webhooks.change');
  if (!mayRegister(input.url, ctx.addresses)) throw new Problem('invalid_url');
  const { actor, scope } = caller;
  const id = newUuid();
  const secret = newWebhookSecret();

  return ctx.store.transaction(async (tx) => {
    const endpoints = webhookEndpointsOf(scope, tx);
    const { active, now: createdAt } = await endpoints.countActive();
    if (active >= limits.activeWebhooksMax) throw new Problem('too_many_webhooks');
    const { url, description = null, event_types: eventTypes, environment } = input;
    const endpoint = { id, url, description, eventTypes, environment, createdAt };
    const line = firstLine(tx, scope, {
      subjectId: id,
      type: 'webhook.created',
      actor,
      data: { environment, event_types: eventTypes, ...environmentOf(caller) },
      at: createdAt,
    });
    await writeAtOnce(tx, [
      endpoints.insert({ ...endpoint, secret: sealWebhookSecret(ctx, id, secret) }),
      ...line,
    ]);
    noteSandboxChange(ctx, caller, endpoint, 'webhook.created');
    return { ...webhookView({ ...endpoint, active: true }), secret };
  });
}
