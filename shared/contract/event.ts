import { z } from 'zod';
import { assuranceLevels, environments, outcomes } from './enums.ts';

const eventId = z.string().startsWith('evt_').describe('The same in every attempt to deliver this event.');

/** Body of event `verification.completed` (specification 6.1; the garbled field name is `created`, decision 1). */
export const VerificationCompleted = z
  .strictObject({
    id: eventId,
    type: z.literal('verification.completed'),
    created: z.int().describe('When the verdict was reached, as Unix time in seconds.'),
    environment: z.enum(environments),
    data: z.strictObject({
      verification_id: z.uuid(),
      reference: z.string().nullable().describe('Your own reference, null when you gave none.'),
      status: z.literal('completed'),
      outcome: z.enum(outcomes),
      assurance_level: z.enum(assuranceLevels),
      reasons: z.array(z.string()).describe('Why, in plain English.'),
    }),
  })
  .meta({ id: 'VerificationCompleted' });
export type VerificationCompleted = z.output<typeof VerificationCompleted>;

/** Body of event `webhook.test` (decision 32): sent when it is asked for, and never subscribed to. */
export const WebhookTest = z
  .strictObject({
    id: eventId,
    type: z.literal('webhook.test'),
    created: z.int().describe('When the test was asked for, as Unix time in seconds.'),
    environment: z.enum(environments).describe('That of the key that asked for it.'),
    data: z.strictObject({ webhook_id: z.uuid().describe('The endpoint under test.') }),
  })
  .meta({ id: 'WebhookTest' });
export type WebhookTest = z.output<typeof WebhookTest>;

/** Header names of a delivery (specification 6.2). */
export const deliveryHeaders = {
  signature: 'X-Service-Signature',
  event: 'X-Service-Event',
  delivery: 'X-Service-Delivery',
} as const;
