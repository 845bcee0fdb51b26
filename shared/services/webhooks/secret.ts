import type { Context } from '../context.ts';

const contextOf = (endpointId: string) => `webhook/${endpointId}`;

/** Sealed at rest and bound to its endpoint; opened only to sign. */
export const sealWebhookSecret = (
  { secrets }: Pick<Context, 'secrets'>,
  endpointId: string,
  secret: string,
): Buffer => secrets.seal('webhook-secret', contextOf(endpointId), secret);

export const openWebhookSecret = (
  { secrets }: Pick<Context, 'secrets'>,
  endpointId: string,
  sealed: Buffer,
): string => secrets.open('webhook-secret', contextOf(endpointId), sealed);
