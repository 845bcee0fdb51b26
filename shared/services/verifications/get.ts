import type { ChosenMethod } from '#contract/enums.ts';
import { Problem } from '#contract/errors.ts';
import type { Verification } from '#contract/verification.ts';
import { verificationMethods } from '#policy/methods/table.ts';
import { type Resource, resources } from '#policy/resources.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { type IncomeCheckRow, incomeChecksOf } from '#store/verifications/income-checks.ts';
import { type VerificationRow, verificationsOf } from '#store/verifications/verifications.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { evenIfLost, type LostContext } from '../runs/even-if-lost.ts';
import { readView } from '../views/view.ts';

/** Returns one verification (specification 4.1). An id of another organisation or environment counts as unknown (decision 14). */
export async function getVerification(
  ctx: LostContext & Pick<Context, 'secrets' | 'publicUrl'>,
  caller: Caller,
  { id }: { id: string },
): Promise<Verification> {
  assertMay(caller, 'verifications.see');
  return readView(ctx, caller, await requireRecorded(ctx, caller.scope, id));
}

/** A verification or an income check. Undefined if there is none. */
export const findCase = async (
  ctx: LostContext,
  caller: Caller,
  { id }: { id: string },
): Promise<VerificationRow | undefined> => {
  assertMay(caller, 'verifications.open');
  const { scope } = caller;
  return evenIfLost(ctx, scope, id, () => requireCase(ctx, scope, id)).catch(unlessUnknown);
};

function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof Problem) || error.code !== 'verification_not_found') throw error;
}

/** As `requireVerification`, but outside a transaction, and also if an older database has lost the row. */
export const requireRecorded = (ctx: LostContext, scope: OrgScope, id: string): Promise<ChosenRow> =>
  evenIfLost(ctx, scope, id, () => requireVerification(ctx, scope, id));

/** In a transaction, `db` is that of the transaction. */
type ReadContext = Pick<Context, 'store'> & { db?: Db };

export async function requireVerification(ctx: ReadContext, scope: OrgScope, id: string): Promise<ChosenRow> {
  const row = await findVerification(ctx, scope, id);
  if (row === undefined) throw new Problem('verification_not_found');
  return row;
}

/** The row of a verification that was found as one. Throws `verification_not_found` if it is that of an income check. */
export function asVerification(row: VerificationRow): ChosenRow {
  if (!isVerification(row)) throw new Problem('verification_not_found');
  return row;
}

export async function findVerification(
  { store, db = store.reads }: ReadContext,
  scope: OrgScope,
  id: string,
): Promise<ChosenRow | undefined> {
  const row = await verificationsOf(scope, db).find(id);
  return row !== undefined && isVerification(row) ? row : undefined;
}

export type ChosenRow = VerificationRow & { method: ChosenMethod };

const isVerification = (row: VerificationRow): row is ChosenRow => isOf('verification', row);
const isOf = (resource: Resource, { method }: VerificationRow): boolean =>
  verificationMethods[method].resource === resource;

/** The row of a verification or of an income check: of the one that `resource` names, or else of either. */
export async function requireCase(
  { store, db = store.reads }: ReadContext,
  scope: OrgScope,
  id: string,
  resource?: Resource,
): Promise<VerificationRow> {
  const row = await verificationsOf(scope, db).find(id);
  if (row === undefined || (resource !== undefined && !isOf(resource, row)))
    throw new Problem(resources[resource ?? 'verification'].notFound);
  return row;
}

/** In a transaction, `db` is that of the transaction. */
export async function requireIncomeCheck(
  { store, db = store.reads }: ReadContext,
  scope: OrgScope,
  id: string,
): Promise<IncomeCheckRow> {
  const row = await incomeChecksOf(scope, db).find(id);
  if (row === undefined) throw new Problem('income_check_not_found');
  return row;
}
