import { z } from 'zod';
import { eventTypes, webhookEnvironments } from './enums.ts';
import { storableText, text, timestamp, uuid } from './fields.ts';
import { limits } from './limits.ts';
import { listOf } from './list.ts';

/** Body of POST /webhooks (specification 4.1). The rules for `url` are decision 23's; `#platform/addresses.ts` applies them. */
export const CreateWebhook = z
  .strictObject({
    url: storableText.meta({
      format: 'uri',
      maxLength: limits.webhookUrlLengthMax,
      description:
        'A public https address, on port 443 or 1024 to 65535, without user name or fragment. Redirects are not followed.',
    }),
    description: text(limits.webhookDescriptionLengthMax).optional().describe('For yourself.'),
    event_types: z.array(z.enum(eventTypes)).nonempty().default(['verification.completed']),
    environment: z
      .enum(webhookEnvironments)
      .default('all')
      .describe('Whose events are sent here; `all` means sandbox and live.'),
  })
  .meta({ id: 'CreateWebhook' });
export type CreateWebhook = z.output<typeof CreateWebhook>;

/** Specification 2.4. */
export const WebhookEndpoint = z
  .strictObject({
    id: uuid,
    object: z.literal('webhook_endpoint'),
    url: z.string(),
    description: z.string().nullable(),
    event_types: z.array(z.string()),
    environment: z.enum(webhookEnvironments),
    active: z.boolean().describe('False once it was deleted: it stays readable and receives nothing.'),
    created_at: timestamp,
  })
  .meta({ id: 'WebhookEndpoint' });
export type WebhookEndpoint = z.output<typeof WebhookEndpoint>;

/** The answer to the creation alone carries the signing secret, once (specification 2.4). */
export const CreatedWebhookEndpoint = WebhookEndpoint.extend({
  secret: z
    .string()
    .startsWith('whsec_')
    .describe('Signs what is sent here. The whole string is the key, its prefix included.'),
}).meta({ id: 'CreatedWebhookEndpoint' });
export type CreatedWebhookEndpoint = z.output<typeof CreatedWebhookEndpoint>;

/** Answer of GET /webhooks (specification 4.1; decisions 4 and 19). */
export const WebhookEndpointList = listOf(WebhookEndpoint).meta({ id: 'WebhookEndpointList' });
export type WebhookEndpointList = z.output<typeof WebhookEndpointList>;

/** Answer of DELETE /webhooks/{id} (decision 22). */
export const DeletedWebhookEndpoint = z
  .strictObject({
    id: uuid,
    object: z.literal('webhook_endpoint'),
    deleted: z.literal(true),
  })
  .meta({ id: 'DeletedWebhookEndpoint' });
export type DeletedWebhookEndpoint = z.output<typeof DeletedWebhookEndpoint>;
