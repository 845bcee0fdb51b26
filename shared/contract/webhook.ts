import { z } from 'zod';
import { attemptReasons, deliveryStatuses, deliveryTriggers, webhookEnvironments } from './enums.ts';
import { subscribableTypes } from './events.ts';
import { storableText, text, timestamp, uuid } from './fields.ts';
import { limits } from './limits.ts';
import { ListQuery, listOf } from './list.ts';

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
    event_types: z.array(z.enum(subscribableTypes)).nonempty().default(['verification.completed']),
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

/** The answers to creation and rotation alone carry the signing secret, once (specification 2.4; decision 35). */
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

/** Body of POST /webhooks/{id}/rotate-secret (decision 35). */
export const RotateSecret = z
  .strictObject({
    overlap_hours: z
      .int()
      .min(0)
      .max(limits.secretOverlapHoursMax)
      .default(0)
      .describe('For how many hours the present secret signs beside the new one.'),
  })
  .meta({ id: 'RotateSecret' });
export type RotateSecret = z.output<typeof RotateSecret>;

/** Body of a POST that takes none: an empty object passes, a field does not (decision 17). */
export const NoFields = z.strictObject({}).meta({ id: 'NoFields' });

/** Answer of POST /webhooks/{id}/test (decision 32). */
export const TestedWebhook = z
  .strictObject({ id: z.string().startsWith('evt_').describe('The id of the event that is sent.') })
  .meta({ id: 'TestedWebhook' });
export type TestedWebhook = z.output<typeof TestedWebhook>;

const DeliveryAttempt = z
  .strictObject({
    number: z.int().min(1).max(limits.deliveryAttemptsMax),
    started_at: timestamp,
    duration_ms: z.int().min(0).nullable().describe('Null when we do not know.'),
    response_status: z.int().nullable().describe('The HTTP status, null when there was no answer.'),
    reason: z
      .enum(attemptReasons)
      .nullable()
      .describe(
        'Why it was no success, null when it was one. `outcome_unknown`: it may have reached you, our process ended before it could tell.',
      ),
  })
  .meta({ id: 'DeliveryAttempt' });

/** Decision 33. */
export const WebhookDelivery = z
  .strictObject({
    id: uuid,
    object: z.literal('webhook_delivery'),
    event_id: z.string().startsWith('evt_'),
    event_type: z.string(),
    status: z
      .enum(deliveryStatuses)
      .describe(
        '`pending`: no attempt yet. `failed`: no attempt is left. `cancelled`: the endpoint was deactivated before it got there.',
      ),
    trigger: z.enum(deliveryTriggers).describe('What it was made for: an event, a resend, or a test.'),
    created_at: timestamp,
    next_attempt_at: timestamp.nullable().describe('When the next attempt is due; null once there is none.'),
    attempts: z.array(DeliveryAttempt).describe('Those that have ended, the first one first.'),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

/** Answer of GET /webhooks/{id}/deliveries (decisions 19 and 33). */
export const WebhookDeliveryList = listOf(WebhookDelivery).meta({ id: 'WebhookDeliveryList' });
export type WebhookDeliveryList = z.output<typeof WebhookDeliveryList>;

/** Query of GET /webhooks/{id}/deliveries (decision 33). */
export const DeliveryListQuery = ListQuery.extend({
  status: z.enum(deliveryStatuses).optional().describe('Only deliveries that stand so now.'),
});
export type DeliveryListQuery = z.output<typeof DeliveryListQuery>;
