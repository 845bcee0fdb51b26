import type { Store } from '#store/connection.ts';
import { findOrganisation } from '#store/organisations.ts';
import { type ChargedMonth, countCharged } from '#store/usage.ts';

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

const always = { from: new Date(0), before: new Date('9999-12-31T23:59:59.999Z') };

function monthOf(month: string): { from: Date; before: Date } {
  const from = new Date(`${month}-01T00:00:00.000Z`);
  const before = new Date(from);
  before.setUTCMonth(from.getUTCMonth() + 1);
  return { from, before };
}
