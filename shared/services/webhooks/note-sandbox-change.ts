import type { Environment } from '#contract/enums.ts';
import type { Caller } from '../caller.ts';
import type { RequestContext } from '../context.ts';
import type { Entry } from '../ledger/append.ts';

type By = Pick<Caller, 'actor' | 'scope'>;

/** What a line in the ledger says besides of who changed an endpoint. Only a key belongs to an environment. */
export const environmentOf = ({ actor, scope }: By): { by_environment?: Environment } =>
  actor.kind === 'key' ? { by_environment: scope.environment } : {};

/** Endpoints of live are managed with sandbox keys too (decision 14), which lie in more places. So the operator sees it in the log. */
export function noteSandboxChange(
  { log }: Pick<RequestContext, 'log'>,
  { actor, scope }: By,
  { id, environment }: { id: string; environment: string },
  change: Entry['type'],
): void {
  if (actor.kind === 'key' && scope.environment === 'sandbox' && environment !== 'sandbox')
    log.warn(
      { webhook_id: id, key_id: actor.id, org_id: scope.orgId, change },
      'a sandbox key changed an endpoint that gets live events',
    );
}
