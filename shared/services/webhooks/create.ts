import { Problem } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import {
  CreatedWebhookEndpoint as CreatedSchema,
  type CreatedWebhookEndpoint,
  type CreateWebhook,
} from '#contract/webhook.ts';
import { isAllowedUrl } from '#platform/addresses.ts';
import { newUuid, newWebhookSecret } from '#platform/crypto.ts';
import { WebhookEndpoint } from '#store/entities/webhook-endpoint.ts';
import { webhookEndpointsOf } from '#store/webhook-endpoints.ts';
import type { CallerContext } from '../context.ts';
import { appendToLedger } from '../ledger/append.ts';
import { sealWebhookSecret } from './secret.ts';

/** Registers an endpoint (specification 4.1; decisions 14 and 23). The signing secret is in this answer and in no other. */
export function createWebhook(ctx: CallerContext, input: CreateWebhook): Promise<CreatedWebhookEndpoint> {
  if (!isAllowedUrl(input.url, ctx.addresses)) throw new Problem('invalid_url');
  const id = newUuid();
  const secret = newWebhookSecret();

  return ctx.store.transaction(async (tx) => {
    const { active, now: createdAt } = await webhookEndpointsOf(ctx.scope, tx).countActive();
    if (active >= limits.activeWebhooksMax) throw new Problem('too_many_webhooks');
    const endpoint = {
      id,
      url: input.url,
      description: input.description ?? null,
      environment: input.environment,
      active: true,
      createdAt,
    };
    tx.em.create(WebhookEndpoint, {
      ...endpoint,
      orgId: ctx.scope.orgId,
      eventTypes: input.event_types,
      secret: sealWebhookSecret(ctx, id, secret),
    });
    await appendToLedger(ctx, tx, ctx.scope, {
      subjectId: id,
      type: 'webhook.created',
      data: {
        environment: input.environment,
        event_types: input.event_types,
        by_environment: ctx.scope.environment,
      },
      at: createdAt,
    });
    return CreatedSchema.parse({
      id,
      object: 'webhook_endpoint',
      url: input.url,
      description: endpoint.description,
      event_types: input.event_types,
      environment: input.environment,
      active: true,
      created_at: createdAt.toISOString(),
      secret,
    });
  });
}
