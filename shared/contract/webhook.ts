import { z } from 'zod';
import { attemptReasons, deliveryStatuses, deliveryTriggers, webhookEnvironments } from './enums.ts';
import { subscribableTypes } from './events.ts';
import { storableText, text, timestamp, uuid } from './fields.ts';
import { limits } from './limits.ts';
import { ListQuery, listOf } from './list.ts';

/** The body of POST /webhooks (specification 4.1). `#platform/outbound/addresses.ts` applies the rules for `url` (decision 23). */
export const CreateWebhook = z
  .strictObject({
    url: storableText.meta({
      format: 'uri',
      maxLength: limits.webhookUrlLengthMax,
      description:
        'A public https URL, on port 443 or 1024 to 65535, without user name or fragment, written as it is called. Redirects are not followed.',
    }),
    description: text(limits.webhookDescriptionLengthMax).optional().describe('A text for your own use.'),
    event_types: z
      .array(z.enum(subscribableTypes))
      .nonempty()
      .default(['verification.completed'])
      .describe('The types of events that are sent here.'),
    environment: z
      .enum(webhookEnvironments)
      .default('all')
      .describe('The environment whose events are sent here. `all` means sandbox and live.'),
  })
  .meta({ id: 'CreateWebhook' });
export type CreateWebhook = z.output<typeof CreateWebhook>;

/** A webhook endpoint in answers of REST (specification 2.4). */
export const WebhookEndpoint = z
  .strictObject({
    id: uuid,
    object: z.literal('webhook_endpoint'),
    url: z.string(),
    description: z.string().nullable(),
    event_types: z.array(z.string()),
    environment: z.enum(webhookEnvironments),
    active: z.boolean().describe('False after it was deleted: it can still be read, but receives no events.'),
    created_at: timestamp,
  })
  .meta({ id: 'WebhookEndpoint' });
export type WebhookEndpoint = z.output<typeof WebhookEndpoint>;

/** Only the answers to creation and rotation contain the signing secret (specification 2.4; decision 35). */
export const CreatedWebhookEndpoint = WebhookEndpoint.extend({
  secret: z
    .string()
    .startsWith('whsec_')
    .describe('Signs the events that are sent here. The key is the whole string, with its prefix.'),
}).meta({ id: 'CreatedWebhookEndpoint' });
export type CreatedWebhookEndpoint = z.output<typeof CreatedWebhookEndpoint>;

/** The answer of GET /webhooks (specification 4.1; decisions 4 and 19). */
export const WebhookEndpointList = listOf(WebhookEndpoint).meta({ id: 'WebhookEndpointList' });
export type WebhookEndpointList = z.output<typeof WebhookEndpointList>;

/** The answer of DELETE /webhooks/{id} (decision 22). */
export const DeletedWebhookEndpoint = z
  .strictObject({
    id: uuid,
    object: z.literal('webhook_endpoint'),
    deleted: z.literal(true),
  })
  .meta({ id: 'DeletedWebhookEndpoint' });
export type DeletedWebhookEndpoint = z.output<typeof DeletedWebhookEndpoint>;

/** The body of POST /webhooks/{id}/rotate-secret (decision 35). */
export const RotateSecret = z
  .strictObject({
    overlap_hours: z
      .int()
      .min(0)
      .max(limits.secretOverlapHoursMax)
      .default(0)
      .describe('For how many hours the old secret signs as well as the new one.'),
  })
  .meta({ id: 'RotateSecret' });
export type RotateSecret = z.output<typeof RotateSecret>;

/** The body of a POST without parameters. An empty object is accepted, and any field is refused (decision 17). */
export const NoFields = z.strictObject({}).meta({ id: 'NoFields' });

/** The answer of POST /webhooks/{id}/test (decision 32). */
export const TestedWebhook = z
  .strictObject({ id: z.string().startsWith('evt_').describe('The id of the test event.') })
  .meta({ id: 'TestedWebhook' });
export type TestedWebhook = z.output<typeof TestedWebhook>;

const DeliveryAttempt = z
  .strictObject({
    number: z.int().min(1).max(limits.deliveryAttemptsMax),
    started_at: timestamp,
    duration_ms: z.int().min(0).nullable().describe('Null if it is not known.'),
    response_status: z.int().nullable().describe('The HTTP status of the answer. Null if there was none.'),
    reason: z
      .enum(attemptReasons)
      .nullable()
      .describe(
        'Why the attempt failed. Null if it succeeded. `outcome_unknown`: our process ended during the attempt, so the event may have reached you.',
      ),
  })
  .meta({ id: 'DeliveryAttempt' });

/** A delivery with all its attempts that have ended (decision 33). */
export const WebhookDelivery = z
  .strictObject({
    id: uuid,
    object: z.literal('webhook_delivery'),
    event_id: z.string().startsWith('evt_'),
    event_type: z.string(),
    status: z
      .enum(deliveryStatuses)
      .describe(
        '`pending`: no attempt yet. `retrying`: an attempt failed, and another follows. `failed`: the last attempt failed. `cancelled`: the endpoint was deactivated before the event was delivered.',
      ),
    trigger: z.enum(deliveryTriggers).describe('The reason for the delivery: an event, a resend or a test.'),
    created_at: timestamp,
    next_attempt_at: timestamp.nullable().describe('When the next attempt is due. Null if there is none.'),
    attempts: z.array(DeliveryAttempt).describe('The attempts that have ended, the oldest first.'),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

/** The answer of GET /webhooks/{id}/deliveries (decisions 19 and 33). */
export const WebhookDeliveryList = listOf(WebhookDelivery).meta({ id: 'WebhookDeliveryList' });
export type WebhookDeliveryList = z.output<typeof WebhookDeliveryList>;

/** The query of GET /webhooks/{id}/deliveries (decision 33). */
export const DeliveryListQuery = ListQuery.extend({
  status: z.enum(deliveryStatuses).optional().describe('Only deliveries that have this status now.'),
});
export type DeliveryListQuery = z.output<typeof DeliveryListQuery>;
