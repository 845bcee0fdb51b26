import type { Environment } from '#contract/enums.ts';
import { type Caller, callerOfMember } from '#services/caller.ts';
import { scopeOfMember } from '#store/database/scope.ts';

/** An owner of the organisation, who need not have a row. */
export function asOwner({ id }: { id: string }, orgId: string, environment: Environment): Caller {
  const live = scopeOfMember({ orgId, environment: 'live' });
  const sandbox = scopeOfMember({ orgId, environment: 'sandbox' });
  return callerOfMember({ memberId: id, role: 'owner', scopes: { live, sandbox } }, environment);
}
