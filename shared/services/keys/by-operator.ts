import { ownerOfKey } from '#store/organisations/keys.ts';
import { type Caller, callerOfOperator } from '../caller.ts';
import type { Context } from '../context.ts';

/** The operator, who changes this key of any organisation. Undefined if there is no such key. */
export async function operatorAtKey(
  { store }: Pick<Context, 'store'>,
  { id }: { id: string },
): Promise<Caller | undefined> {
  const owner = await ownerOfKey(store.db, id);
  return owner && callerOfOperator(owner);
}
