import {
  isText,
  type OrganisationSettings,
  organisationSettings,
  type SettingProperty,
  settingName,
  settingProperties,
  settingsForLedger,
} from '#policy/organisation-settings.ts';
import type { Store } from '#store/database/connection.ts';
import { timeOf, writeAtOnce } from '#store/database/statements.ts';
import { lockSettings, updateSettings } from '#store/organisations/organisations.ts';
import { assertMay, type Caller } from '../caller.ts';
import { nextLine } from '../ledger/append.ts';

export type { SettingProperty };

type Value = OrganisationSettings[SettingProperty];
type Change = { property: SettingProperty; from: Value; to: Value };

export type SettingsChange = { changes: Change[] };

/**
 * Changes settings of an organisation, and writes the change into its chain of the ledger. A verdict uses the settings of the moment in
 * which it is recorded.
 */
export async function changeSettings(
  { store }: { store: Pick<Store, 'transaction'> },
  caller: Caller,
  wanted: Partial<OrganisationSettings>,
): Promise<SettingsChange> {
  for (const property of settingProperties)
    if (property in wanted)
      assertMay(
        caller,
        'isOperators' in organisationSettings[property] ? 'operators.change' : 'organisation.change',
      );
  const { actor, scope } = caller;
  const id = scope.orgId;
  return store.transaction(async (tx) => {
    const before = await lockSettings(tx, { id });
    if (before === undefined) throw new Error('the organisation was removed at the same time');
    const after = { ...before, ...wanted };
    const changes = settingProperties.flatMap((property) =>
      before[property] === after[property] ? [] : [{ property, from: before[property], to: after[property] }],
    );
    if (changes.length === 0) return { changes };
    const line = await nextLine(tx, scope, {
      subjectId: id,
      type: 'organisation.changed',
      actor,
      data: { changed: changes.map(forLedger), settings: settingsForLedger(after) },
      at: await timeOf(tx),
    });
    const values = Object.fromEntries(changes.map(({ property, to }) => [property, to]));
    await writeAtOnce(tx, [updateSettings(tx, id, values), ...line]);
    return { changes };
  });
}

/** A line can never be erased, so it has no text that somebody wrote. */
const forLedger = ({ property, from, to }: Change) =>
  isText(property) ? { setting: settingName(property) } : { setting: settingName(property), from, to };

/** A setting by the name that a line has. Undefined if this version has no such setting. */
export function settingOfLine(name: unknown): { property: SettingProperty; isText: boolean } | undefined {
  const property = settingProperties.find((each) => settingName(each) === name);
  return property && { property, isText: isText(property) };
}
