import type { Store } from '#store/connection.ts';
import { findOrganisation } from '#store/organisations.ts';
import { type ChargedMonth, countCharged } from '#store/usage.ts';

export type UsageQuery = {
  organisation?: string | undefined;
  /** In UTC, as 2026-11. Absent: every month. */
  month?: string | undefined;
};

/** The usage of each organisation by month. Undefined if no organisation has that name. */
export async function monthlyUsage(
  store: Store,
  { organisation, month }: UsageQuery,
): Promise<ChargedMonth[] | undefined> {
  const period = month === undefined ? always : monthOf(month);
  if (organisation === undefined) return countCharged(store, period);
  const organisationId = await findOrganisation(store, organisation);
  return organisationId === undefined ? undefined : countCharged(store, { ...period, organisationId });
}

const always = { from: new Date(0), before: new Date('9999-12-31T23:59:59.999Z') };

function monthOf(month: string): { from: Date; before: Date } {
  const from = new Date(`${month}-01T00:00:00.000Z`);
  const before = new Date(from);
  before.setUTCMonth(from.getUTCMonth() + 1);
  return { from, before };
}
