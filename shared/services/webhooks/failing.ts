import { dayMs } from '#contract/time.ts';
import { findFailingEndpointsOfAnyOrganisation } from '#store/webhooks/webhook-endpoints.ts';
import type { Context } from '../context.ts';

export type FailingEndpoint = {
  id: string;
  orgId: string;
  failingSince: Date;
  consecutiveFailures: number;
  lastSuccessAt: Date | null;
  /** Whole days since `failingSince`. */
  days: number;
};

/** Active endpoints whose attempts have all failed for a day or longer. Only the owner of an endpoint deactivates it. */
export async function failingEndpoints({
  store,
  clock,
}: Pick<Context, 'store' | 'clock'>): Promise<FailingEndpoint[]> {
  const now = clock.now().getTime();
  const endpoints = await findFailingEndpointsOfAnyOrganisation(store.db, new Date(now - dayMs));
  return endpoints.map((endpoint) => ({
    ...endpoint,
    days: Math.floor((now - endpoint.failingSince.getTime()) / dayMs),
  }));
}
