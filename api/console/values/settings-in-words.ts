import { decisionRules, languageChoices } from '#contract/enums.ts';
import { type SettingProperty, settingOfLine } from '#services/organisations/change-settings.ts';
import type { Option } from '../parts.ts';
import type { Texts } from '../texts/texts.ts';

/** The values to choose from. Undefined if the setting is typed. */
export function optionsOf(
  { organisation: t, operator }: Texts,
  property: SettingProperty,
): Option[] | undefined {
  switch (property) {
    case 'decisions':
      return decisionRules.map((value) => ({ value, name: t.decisions[value] }));
    case 'languages':
      return languageChoices.map((value) => ({ value, name: t.languages[value] }));
    case 'reviewEyes':
      return ([1, 2] as const).map((value) => ({ value: `${value}`, name: t.eyes[value] }));
    case 'offersOtherWay':
    case 'coverPortrait':
    case 'eraseByKey':
      return [
        { value: 'true', name: t.yes },
        { value: 'false', name: t.no },
      ];
    case 'paused':
      return [
        { value: 'true', name: operator.organisations.paused },
        { value: 'false', name: operator.organisations.active },
      ];
    default:
      return undefined;
  }
}

/** A value of a setting as a page says it. A value that this version does not know stays as it is. */
export function settingInWords(text: Texts, property: SettingProperty, value: unknown): string {
  const written = `${value ?? ''}`;
  if (written === '') return text.organisation.notSet;
  if (property === 'evidenceDays') return text.organisation.days(written);
  return optionsOf(text, property)?.find((option) => option.value === written)?.name ?? written;
}

/** What changed, by the names of the ledger. A text that somebody wrote has no values there. */
type Change = { setting?: unknown; from?: unknown; to?: unknown };

/**
 * A change of a setting in the words of the page that changes it. A text is never said, because it can name a person. Of a setting that this
 * version does not know only the name is known, as the line has it.
 */
export function changeInWords(text: Texts, { setting, from, to }: Change): string {
  const found = settingOfLine(setting);
  if (found === undefined) return apartFromSettings(text).get(setting) ?? String(setting ?? '');
  const { property, isText } = found;
  const name = property === 'paused' ? text.operator.organisations.state : text.organisation.names[property];
  if (isText || from === undefined || to === undefined) return name;
  const [before, after] = [from, to].map((value) => settingInWords(text, property, value));
  return `${name}: ${before} → ${after}`;
}

/** The ledger calls these settings too, but they are no value of the row. */
const apartFromSettings = ({ organisation: t }: Texts): ReadonlyMap<unknown, string> =>
  new Map([
    ['logo', t.logo.title],
    ['idin_contract', t.contract.link],
  ]);
