import type { Store } from '#store/database/connection.ts';
import { findOrganisation } from '#store/organisations/organisations.ts';
import { type ChargedMonth, countCharged, countChargedIn } from '#store/organisations/usage.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';

export type UsageQuery = {
  organisation?: string | undefined;
  /** The month in UTC, for example 2026-11. If absent, all months are counted. */
  month?: string | undefined;
};

/** Returns undefined if no organisation has the given name. */
export async function monthlyUsage(
  store: Store,
  { organisation, month }: UsageQuery,
): Promise<ChargedMonth[] | undefined> {
  const period = month === undefined ? always : monthOf(month);
  if (organisation === undefined) return countCharged(store, period);
  const organisationId = await findOrganisation(store, organisation);
  return organisationId === undefined ? undefined : countCharged(store, { ...period, organisationId });
}

/** A month in UTC, for example 2026-11, and how many live verifications were completed in it. */
export type MonthOfUse = { month: string; verifications: number };

/** The last twelve months of one organisation with the present one, newest first. Months without use are there too. */
export async function usageOfYear(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  caller: Caller,
): Promise<MonthOfUse[]> {
  assertMay(caller, 'usage.see');
  const now = clock.now();
  const months = Array.from({ length: 12 }, (_, ago) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString().slice(0, 7),
  );
  const counts = await countChargedIn(caller.scope, store.db, months.map(monthOf));
  return months.map((month, i) => ({ month, verifications: counts[i] ?? 0 }));
}

const always = { from: new Date(0), before: new Date('9999-12-31T23:59:59.999Z') };

function monthOf(month: string): { from: Date; before: Date } {
  const from = new Date(`${month}-01T00:00:00.000Z`);
  const before = new Date(from);
  before.setUTCMonth(from.getUTCMonth() + 1);
  return { from, before };
}
