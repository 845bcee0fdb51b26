import type { Caller } from '../caller.ts';
import type { RequestContext } from '../context.ts';
import type { Entry } from '../ledger/append.ts';

/** Endpoints of live are managed with sandbox keys too (decision 14), which lie in more places. So the operator sees it in the log. */
export function noteSandboxChange(
  { log }: Pick<RequestContext, 'log'>,
  { actor, scope }: Pick<Caller, 'actor' | 'scope'>,
  webhookId: string,
  environment: string,
  change: Entry['type'],
): void {
  if (actor.kind === 'key' && scope.environment === 'sandbox' && environment !== 'sandbox')
    log.warn(
      { webhook_id: webhookId, key_id: actor.id, org_id: scope.orgId, change },
      'a sandbox key changed an endpoint that gets live events',
    );
}
