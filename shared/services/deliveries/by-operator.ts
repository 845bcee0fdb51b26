import { Problem } from '#contract/errors.ts';
import { endpointOfAnyOrganisation } from '#store/webhooks/webhook-endpoints.ts';
import { type Caller, callerOfOperator } from '../caller.ts';
import type { Context } from '../context.ts';

/** The operator, who pauses this endpoint of any organisation. Throws `webhook_not_found`. */
export async function operatorAtEndpoint(
  { store }: Pick<Context, 'store'>,
  { id }: { id: string },
): Promise<Caller> {
  const found = await endpointOfAnyOrganisation(store.db, id);
  if (found === undefined) throw new Problem('webhook_not_found');
  return callerOfOperator({ orgId: found.orgId, environment: 'live' });
}
