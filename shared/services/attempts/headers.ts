import { deliveryHeaders } from '#contract/events.ts';

/** The headers that every attempt of a delivery has, besides the signature, which each attempt makes anew. */
export const sentHeaders = ({ eventType, eventId }: { eventType: string; eventId: string }) => ({
  'content-type': 'application/json',
  'accept-encoding': 'identity',
  'user-agent': 'verification-service',
  [deliveryHeaders.event]: eventType,
  [deliveryHeaders.delivery]: eventId,
});
