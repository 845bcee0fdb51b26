import { Problem } from '#contract/errors.ts';
import { findLinkOfAnyOrganisation } from '#store/verifications/verifications.ts';
import { type Caller, callerOfOperator } from '../caller.ts';
import type { Context } from '../context.ts';

/** The operator, whose commands reach this verification of any organisation. Throws `verification_not_found`. */
export async function operatorAtVerification(
  { store }: Pick<Context, 'store'>,
  { id }: { id: string },
): Promise<Caller> {
  const found = await findLinkOfAnyOrganisation(store.db, id);
  if (found === undefined) throw new Problem('verification_not_found');
  return callerOfOperator(found);
}
