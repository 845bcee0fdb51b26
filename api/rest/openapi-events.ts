import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { deliveryHeaders, type sentEvents } from '#contract/events.ts';

/** Describes an event as an operation of the endpoint that receives it (specification 6; decision 32). */
export const eventOf = ([type, event]: (typeof sentEvents)[number]): ZodOpenApiOperationObject => ({
  operationId: `on${event.body.meta()?.id}`,
  tags: [event.subscribable ? 'Webhooks' : 'Webhook operations'],
  summary: event.summary,
  description: event.description,
  security: [],
  requestParams: {
    header: z.object({
      [deliveryHeaders.signature]: z.string().meta({
        description: 'The time of signing, and the signature.',
        examples: ['t=1795262888,v1=5257a869e7…'],
      }),
      [deliveryHeaders.event]: z.literal(type).describe('The type of the event.'),
      [deliveryHeaders.delivery]: z
        .string()
        .startsWith('evt_')
        .describe('The id of the event. Every attempt has the same id.'),
    }),
  },
  requestBody: {
    required: true,
    content: { 'application/json': { schema: event.body, example: event.example } },
  },
  responses: {
    '2XX': { description: 'You have stored the event. The rest of your answer is not used.' },
    default: { description: event.refused },
  },
});
