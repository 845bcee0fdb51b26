import type { PictureFault } from '#platform/pictures/picture.ts';
import {
  type OrganisationSettings,
  organisationSettings,
  type SettingProperty,
  settingProperties,
} from '#policy/organisation-settings.ts';
import type { Store } from '#store/connection.ts';
import type { OrgScope } from '#store/scope.ts';
import { settingsOf } from '#store/settings.ts';
import type { Actor } from '../ledger/append.ts';
import { changeLogo, type LogoContext } from './change-logo.ts';
import { changeSettingsAs } from './change-settings.ts';

/** A setting that members may change. The others are the operator's. */
export type OwnSetting = Exclude<SettingProperty, 'paused'>;

export type OwnSettings = OrganisationSettings & {
  name: string;
  /** The hash of the logo as in its address. Null if there is none. */
  logo: string | null;
};

/** What the organisation of a member has chosen. */
export async function readOwnSettings({ db }: Pick<Store, 'db'>, scope: OrgScope): Promise<OwnSettings> {
  const { logo, ...settings } = await settingsOf(scope, db).all();
  return { ...settings, logo: logo?.toString('hex') ?? null };
}

/** What a member typed, by setting. A setting that is missing stays as it is. */
export type TypedSettings = Partial<Record<OwnSetting, string>>;

/** `faults`: what was typed is no value of these settings. */
export type OwnChange = { faults: OwnSetting[] } | 'saved';

/** Changes settings of the member's organisation, all or none. */
export async function changeOwnSettings(
  store: Pick<Store, 'transaction'>,
  { orgId }: OrgScope,
  typed: TypedSettings,
  actor: Actor,
): Promise<OwnChange> {
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
  const organisation = { id: orgId };
  await changeSettingsAs(actor, store, organisation, wanted as Partial<OrganisationSettings>);
  return 'saved';
}

/** Sets the logo of the member's organisation, or removes it if `upload` is null. Returns what is wrong with the picture. */
export async function changeOwnLogo(
  ctx: LogoContext,
  { orgId }: OrgScope,
  upload: Uint8Array | null,
  actor: Actor,
): Promise<PictureFault | undefined> {
  const changed = await changeLogo(ctx, { id: orgId }, upload, actor);
  return typeof changed === 'string' ? undefined : changed.fault;
}
