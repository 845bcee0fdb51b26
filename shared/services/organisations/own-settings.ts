import {
  type OrganisationSettings,
  organisationSettings,
  type SettingProperty,
  settingProperties,
} from '#policy/organisation-settings.ts';
import type { Store } from '#store/database/connection.ts';
import { settingsOf } from '#store/organisations/settings.ts';
import { assertMay, type Caller } from '../caller.ts';
import { changeSettings } from './change-settings.ts';

/** A setting that members may change. The others are the operator's. */
export type OwnSetting = Exclude<SettingProperty, 'paused'>;

export type OwnSettings = OrganisationSettings & {
  name: string;
  /** The hash of the logo as in its address. Null if there is none. */
  logo: string | null;
};

/** What the organisation of a member has chosen. */
export async function readOwnSettings(
  { store }: { store: Pick<Store, 'db'> },
  caller: Caller,
): Promise<OwnSettings> {
  assertMay(caller, 'organisation.see');
  const { logo, ...settings } = await settingsOf(caller.scope, store.db).all();
  return { ...settings, logo: logo?.toString('hex') ?? null };
}

/** What a member typed, by setting. A setting that is missing stays as it is. */
export type TypedSettings = Partial<Record<OwnSetting, string>>;

/** `faults`: what was typed is no value of these settings. */
export type OwnChange = { faults: OwnSetting[] } | 'saved';

/** Changes settings of the member's organisation, all or none. */
export async function changeOwnSettings(
  ctx: { store: Pick<Store, 'transaction'> },
  caller: Caller,
  typed: TypedSettings,
): Promise<OwnChange> {
  assertMay(caller, 'organisation.change');
  const wanted: Partial<Record<OwnSetting, unknown>> = {};
  const faults: OwnSetting[] = [];
  for (const property of settingProperties) {
    const setting = organisationSettings[property];
    if ('isOperators' in setting) continue;
    const own = property as OwnSetting;
    const given = typed[own];
    if (given === undefined) continue;
    const value = setting.parse(given);
    if (value === undefined) faults.push(own);
    else wanted[own] = value;
  }
  if (faults.length > 0) return { faults };
  await changeSettings(ctx, caller, wanted as Partial<OrganisationSettings>);
  return 'saved';
}
