import { exitCodes, StartFault } from '#platform/failures.ts';
import type { Caller } from '#services/caller.ts';
import { operatorAtOrganisation } from '#services/organisations/by-operator.ts';
import type { Store } from '#store/database/connection.ts';

export const unknownOrganisation = () =>
  new StartFault('There is no organisation of that name.', exitCodes.unavailable);

/** The operator, who changes or reads the organisation of this name. */
export async function operatorAt(store: Store, name: string): Promise<Caller> {
  const operator = await operatorAtOrganisation({ store }, { name });
  if (operator === undefined) throw unknownOrganisation();
  return operator;
}
