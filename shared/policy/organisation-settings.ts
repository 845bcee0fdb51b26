import {
  type DecisionRule,
  decisionRules,
  type Environment,
  type Language,
  type LanguageChoice,
  languageChoices,
} from '#contract/enums.ts';
import { limits, loopbackHosts } from '#contract/limits.ts';

/** One setting of an organisation. `npm run organisations` shows and changes the settings. */
type Setting<Value> = {
  /** The value of an organisation that never changed the setting. It is also the default of the column. */
  fallback: Value;
  /** Returns undefined if the text is no value of this setting. */
  parse(given: string): Value | undefined;
  /** The rest of the sentence "NAME must be …". */
  accepts: string;
  /** The text for the operator. */
  meaning: string;
  /** True if the value is a text. The ledger then only says that it changed. */
  isText?: true;
  /** True if only the operator changes it, and no member. */
  isOperators?: true;
};

const oneOf = <Value extends string>(
  values: readonly [Value, ...Value[]],
  meaning: string,
): Setting<Value> => ({
  fallback: values[0],
  parse: (given) => values.find((value) => value === given),
  accepts: values.join(', ').replace(/, (?=[^,]*$)/, ' or '),
  meaning,
});

const flag = (fallback: boolean, meaning: string): Setting<boolean> => ({
  fallback,
  parse: (given) => (given === 'true' ? true : given === 'false' ? false : undefined),
  accepts: 'true or false',
  meaning,
});

const whole = (fallback: number, [min, max]: [number, number], meaning: string): Setting<number> => ({
  fallback,
  parse: (given) =>
    /^\d{1,9}$/.test(given) && Number(given) >= min && Number(given) <= max ? Number(given) : undefined,
  accepts: `a whole number from ${min} to ${max}`,
  meaning,
});

/** An empty text removes the value. */
const text = (
  parse: (given: string) => string | undefined,
  accepts: string,
  meaning: string,
): Setting<string | null> => ({
  fallback: null,
  parse: (given) => (given.trim() === '' ? null : parse(given.trim())),
  accepts: `${accepts}, or empty to remove it`,
  meaning,
  isText: true,
});

/** A line break or another control character could change what the page or the terminal shows. */
const line = (given: string): string | undefined =>
  [...given].length <= limits.settingLengthMax && !/[\p{C}\p{Zl}\p{Zp}]/u.test(given) ? given : undefined;

const lineAccepted = `one line of at most ${limits.settingLengthMax} characters`;

function webAddress(given: string): string | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isFit = url?.protocol === 'https:' && url.username === '' && url.password === '';
  return isFit && url.href.length <= limits.settingUrlLengthMax ? url.href : undefined;
}

/** A developer tries things out in sandbox on the own machine, so there http is enough. */
function addressToReturnTo(given: string): string | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isLocal = url?.protocol === 'http:' && loopbackHosts.includes(url.hostname);
  if (!isLocal) return webAddress(given);
  return webAddress(given.replace(/^http:/i, 'https:')) === undefined ? undefined : url.href;
}

/** Where a page of this environment leads back to, with the id of the verification and nothing else. Null if nowhere. */
export function returnTo(
  returnUrl: string | null,
  { id, environment }: { id: string; environment: Environment },
): string | null {
  if (returnUrl === null) return null;
  const url = new URL(returnUrl);
  if (url.protocol !== 'https:' && environment === 'live') return null;
  url.searchParams.set('verification_id', id);
  return url.href;
}

/** The languages of a choice. There is at least one. */
export const languagesOf = (choice: LanguageChoice): Language[] => choice.split(',') as Language[];

const colour = (given: string): string | undefined =>
  /^#[0-9a-f]{6}$/i.test(given) ? given.toLowerCase() : undefined;

/** Every setting, by the property of the row. Its name for operators is the name of the column. */
export const organisationSettings = {
  decisions: oneOf(decisionRules, 'Who decides on documents in live'),
  displayName: text(
    line,
    lineAccepted,
    'The name that end users read; without it they read the name of the organisation',
  ),
  purpose: text(line, lineAccepted, 'Why the organisation asks; the end user reads it before the consent'),
  contact: text(line, lineAccepted, 'Where the end user can ask something; the page shows it'),
  privacyUrl: text(
    webAddress,
    'an https address',
    'The privacy statement of the organisation; the page links it',
  ),
  colour: text(colour, 'a colour as #rrggbb', 'The colour of buttons and links on the hosted pages'),
  returnUrl: text(
    addressToReturnTo,
    'an https address, or for sandbox an http address of this machine',
    'Where the last page leads the end user back to, with verification_id',
  ),
  languages: {
    ...oneOf(languageChoices, 'The languages of the hosted pages; with one, nobody chooses'),
    accepts: '"nl,en", "nl" or "en"',
  },
  offersOtherWay: flag(false, 'Whether the end user can ask for another way than a photo of the face'),
  /** At every value of `decisions`, a face and a document in doubt go to people, who need some days to look. */
  evidenceDays: whole(30, [7, 365], 'How many days the pictures are kept at most'),
  eraseByKey: flag(false, 'Whether a key of live may erase the data of an end user'),
  coverPortrait: flag(true, 'Whether a copy of the document that nobody has to assess has its photo covered'),
  reviewEyes: whole(1, [1, 2], 'How many members must agree when people decide'),
  paused: {
    ...flag(false, 'Whether new verifications are refused; open ones go on, and their events arrive'),
    isOperators: true,
  },
} satisfies Record<
  string,
  | Setting<never>
  | Setting<DecisionRule>
  | Setting<LanguageChoice>
  | Setting<boolean>
  | Setting<number>
  | Setting<string | null>
>;

export type SettingProperty = keyof typeof organisationSettings;
export type OrganisationSettings = {
  [Property in SettingProperty]: (typeof organisationSettings)[Property]['fallback'];
};

export const settingProperties = Object.keys(organisationSettings) as SettingProperty[];

/** End users have a right to know these before they consent (GDPR, article 13). */
export const toldBeforeConsent = ['purpose', 'contact', 'privacyUrl'] as const satisfies SettingProperty[];

/** `privacyUrl` is `privacy_url`. */
export const settingName = (property: SettingProperty): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The settings as a line of the ledger has them, by name. Texts are left out. */
export const settingsForLedger = (row: OrganisationSettings): Record<string, unknown> =>
  Object.fromEntries(
    settingProperties
      .filter((property) => !isText(property))
      .map((property) => [settingName(property), row[property]]),
  );

export const isText = (property: SettingProperty): boolean =>
  'isText' in organisationSettings[property] && true;

/** The settings of an organisation that never changed any. */
export const fallbacks = Object.fromEntries(
  settingProperties.map((property) => [property, organisationSettings[property].fallback]),
) as OrganisationSettings;
