import type { Context } from '../context.ts';

/** Binds a sealed secret to its endpoint, so that it cannot be opened for another endpoint. */
export const webhookBinding = (endpointId: string) => `webhook/${endpointId}`;

/** A secret is stored only in sealed form. It is opened only to sign a delivery, or to seal it again with a newer key. */
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
