import type { Store } from '#store/database/connection.ts';
import { findOrganisation } from '#store/organisations/organisations.ts';
import { type Caller, callerOfOperator } from '../caller.ts';

/** The operator, who changes the organisation of this name. Undefined if there is none. */
export async function operatorAtOrganisation(
  { store }: { store: Pick<Store, 'db'> },
  { name }: { name: string },
): Promise<Caller | undefined> {
  const orgId = await findOrganisation(store, name);
  return orgId === undefined ? undefined : callerOfOperator({ orgId, environment: 'live' });
}
