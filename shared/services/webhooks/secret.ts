import type { Context } from '../context.ts';

/** What binds a secret to its endpoint. */
export const webhookBinding = (endpointId: string) => `webhook/${endpointId}`;

/** Sealed at rest and bound to its endpoint; opened only to sign. */
export const sealWebhookSecret = (
  { secrets }: Pick<Context, 'secrets'>,
  endpointId: string,
  secret: string,
): Buffer => secrets.seal('webhook-secret', webhookBinding(endpointId), secret);

export const openWebhookSecret = (
  { secrets }: Pick<Context, 'secrets'>,
  endpointId: string,
  sealed: Buffer,
): string => secrets.open('webhook-secret', webhookBinding(endpointId), sealed);
