import { type SettingProperty, toldBeforeConsent } from '#policy/organisation-settings.ts';
import type { Store } from '#store/database/connection.ts';
import { listKeys } from '#store/organisations/keys.ts';
import { findSettings, type Which } from '#store/organisations/organisations.ts';

/** Returns undefined if there is no such organisation. */
export const readSettings = ({ db }: Pick<Store, 'db'>, organisation: Which) =>
  findSettings(db, organisation);

/** The settings that end users are told before they consent, as far as an organisation with a working key of live lacks them. */
export async function untoldInLive(store: Store, organisation: string): Promise<SettingProperty[]> {
  const keys = await listKeys(store, organisation);
  const isLive = keys.some(
    ({ environment, revokedAt, expiresAt, now }) =>
      environment === 'live' && revokedAt === null && (expiresAt === null || expiresAt > now),
  );
  if (!isLive) return [];
  const settings = await readSettings(store, { name: organisation });
  return toldBeforeConsent.filter((property) => settings?.[property] === null);
}
