import type { Context } from '../context.ts';

/** Binds a sealed secret to its endpoint. */
export const webhookBinding = (endpointId: string) => `webhook/${endpointId}`;

/** A secret is sealed at rest, and opened only to sign. */
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
