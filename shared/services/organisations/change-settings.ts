import {
  isText,
  type OrganisationSettings,
  type SettingProperty,
  settingName,
  settingProperties,
  settingsForLedger,
} from '#policy/organisation-settings.ts';
import type { Store } from '#store/connection.ts';
import { lockSettings, updateSettings, type Which } from '#store/organisations.ts';
import { scopeOfOperator } from '#store/scope.ts';
import { timeOf, writeAtOnce } from '#store/statements.ts';
import { type Actor, nextLine } from '../ledger/append.ts';

type Value = OrganisationSettings[SettingProperty];
type Change = { property: SettingProperty; from: Value; to: Value };

export type SettingsChange = { changes: Change[] };

/** Changes settings for the operator. Returns undefined if no organisation has this name. */
export const changeSettings = (
  store: Pick<Store, 'transaction'>,
  organisation: string,
  wanted: Partial<OrganisationSettings>,
): Promise<SettingsChange | undefined> =>
  changeSettingsAs({ kind: 'operator' }, store, { name: organisation }, wanted);

/**
 * Changes settings of an organisation, and writes the change into its chain of the ledger. A verdict uses the settings of the moment in
 * which it is recorded.
 */
export const changeSettingsAs = (
  actor: Actor,
  store: Pick<Store, 'transaction'>,
  organisation: Which,
  wanted: Partial<OrganisationSettings>,
): Promise<SettingsChange | undefined> =>
  store.transaction(async (tx) => {
    const before = await lockSettings(tx, organisation);
    if (before === undefined) return undefined;
    const after = { ...before, ...wanted };
    const changes = settingProperties.flatMap((property) =>
      before[property] === after[property] ? [] : [{ property, from: before[property], to: after[property] }],
    );
    if (changes.length === 0) return { changes };
    const line = await nextLine(tx, scopeOfOperator({ orgId: before.id, environment: 'live' }), {
      subjectId: before.id,
      type: 'organisation.changed',
      actor,
      data: { changed: changes.map(forLedger), settings: settingsForLedger(after) },
      at: await timeOf(tx),
    });
    const values = Object.fromEntries(changes.map(({ property, to }) => [property, to]));
    await writeAtOnce(tx, [updateSettings(tx, before.id, values), ...line]);
    return { changes };
  });

/** A line can never be erased, so it has no text that somebody wrote. */
const forLedger = ({ property, from, to }: Change) =>
  isText(property) ? { setting: settingName(property) } : { setting: settingName(property), from, to };
