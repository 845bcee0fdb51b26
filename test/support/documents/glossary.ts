import type { Language } from '#contract/enums.ts';

/** A term of the pages: one word for it in each language. */
export type Term = Record<Language, string> & {
  means: string;
  /** Words that no text says for it. Each is compared as a whole word, so every form is listed. */
  never?: Partial<Record<Language, readonly string[]>>;
  /** Words that are wrong as a whole text, for example as the head of a column, and right inside a sentence. */
  neverAlone?: Partial<Record<Language, readonly string[]>>;
};

/** The words of the console and of the hosted pages. `docs/glossary.md` shows this table, and a test holds it against all texts. */
export const glossary: readonly Term[] = [
  {
    en: 'endpoint',
    nl: 'endpoint',
    means: 'an address of the organisation that receives events',
    never: { nl: ['eindpunt', 'eindpunten'] },
  },
  {
    en: 'event',
    nl: 'event',
    means: 'a message to the software of the organisation about something that happened',
    never: { nl: ['gebeurtenis', 'gebeurtenissen'] },
  },
  {
    en: 'test event',
    nl: 'testevent',
    means: 'an event that says nothing and shows whether an endpoint works',
    never: { nl: ['testgebeurtenis', 'testbericht'] },
  },
  {
    en: 'delivery',
    nl: 'bezorging',
    means: 'one event on its way to one endpoint, with all its attempts',
    never: { nl: ['aflevering', 'afleveringen'] },
  },
  {
    en: 'attempt',
    nl: 'poging',
    means: 'one request that brings an event to its endpoint',
    never: { nl: ['bezorgpoging', 'bezorgpogingen'] },
  },
  {
    en: 'send',
    nl: 'versturen',
    means: 'to give something to a network, such as an event or the photos of a person',
    never: { nl: ['sturen', 'stuur', 'stuurt', 'stuurde', 'stuurden', 'gestuurd', 'gestuurde'] },
  },
  {
    en: 'cancelled',
    nl: 'geannuleerd',
    means: 'ended before it was completed, because somebody wanted it',
    never: { nl: ['afgebroken', 'afbreken'], en: ['canceled', 'aborted'] },
  },
  {
    en: 'log',
    nl: 'logboek',
    means: 'what members and the operator did for an organisation; nobody can change it',
    never: { nl: ['grootboek', 'logbestand'], en: ['ledger'] },
  },
  {
    en: 'history',
    nl: 'geschiedenis',
    means: 'all that happened to one verification',
    never: { nl: ['historie', 'historiek'] },
  },
  {
    en: 'reference',
    nl: 'kenmerk',
    means: 'the name that the organisation gives a verification',
    never: { nl: ['referentie', 'referenties'] },
  },
  {
    en: 'dossier number',
    nl: 'dossiernummer',
    means: 'the number that brings a verification and an income check of one person together',
  },
  {
    en: 'status',
    nl: 'status',
    means: 'how far something is, or whether it works',
    never: { nl: ['toestand', 'toestanden'] },
    neverAlone: { nl: ['stand'], en: ['state'] },
  },
  {
    en: 'completed',
    nl: 'afgerond',
    means: 'of a verification: it has its verdict',
    never: { nl: ['voltooid', 'voltooide', 'voltooien', 'voltooit'] },
  },
  {
    en: 'in review',
    nl: 'in beoordeling',
    means: 'of a verification: a reviewer has to decide',
    never: { nl: ['in review'] },
  },
  {
    en: 'sign in, sign out',
    nl: 'aanmelden, afmelden',
    means: 'to begin and to end to use the console as a member',
    never: {
      nl: ['inloggen', 'ingelogd', 'log', 'logt', 'logde', 'uitloggen', 'uitgelogd'],
      en: ['log in', 'logged in', 'log out', 'logged out'],
    },
  },
  {
    en: 'reset link',
    nl: 'herstellink',
    means: 'a link with which a member chooses a new password and a new second factor',
    never: { nl: ['resetlink', 'link voor een nieuw wachtwoord'] },
  },
  {
    en: 'reviewer',
    nl: 'beoordelaar',
    means: 'a member who decides about a verification',
    never: { nl: ['mens', 'reviewer', 'reviewers'], en: ['human', 'human being'] },
  },
  {
    en: 'person at an organisation',
    nl: 'medewerker',
    means: 'somebody who works for an organisation, as end users read of them',
  },
  {
    en: 'automatic; a computer',
    nl: 'automatisch; een computer',
    means: 'done by the service itself, without a person',
    never: {
      nl: ['machine', 'machines', 'geautomatiseerd', 'geautomatiseerde'],
      en: ['machine', 'machines'],
    },
  },
  {
    en: 'verdict',
    nl: 'oordeel',
    means: 'the outcome of a verification with its reasons and checks',
    never: { nl: ['verdict'] },
  },
  {
    en: 'outcome',
    nl: 'uitkomst',
    means: 'how something ended, for example approved or rejected',
    never: { nl: ['uitslag', 'uitslagen', 'resultaat', 'resultaten'] },
  },
  {
    en: 'saved',
    nl: 'opgeslagen',
    means: 'written down now, so that it is not lost',
  },
  {
    en: 'kept',
    nl: 'bewaard',
    means: 'still there, until a time that is known',
  },
  {
    en: 'erased',
    nl: 'gewist',
    means: 'of personal data: gone for ever',
  },
  {
    en: 'deleted, removed',
    nl: 'verwijderd',
    means: 'of everything else: gone for ever',
  },
  {
    en: 'covered',
    nl: 'afgedekt',
    means: 'under a bar on the picture, so that it cannot be seen',
    never: {
      nl: ['afgeschermd', 'afgeschermde', 'bedekt', 'bedekte', 'gemaskeerd'],
      en: ['masked', 'masking'],
    },
  },
  {
    en: 'reflection',
    nl: 'weerspiegeling',
    means: 'light on a document that hides what is printed there',
    never: { nl: ['spiegeling', 'weerspiegelt', 'glimt'], en: ['glare'] },
  },
  {
    en: 'nothing was changed',
    nl: 'er is niets gewijzigd',
    means: 'everything is as it was before the button was pressed',
    never: {
      nl: ['niets veranderd', 'niets is veranderd', 'niets aangepast'],
      en: ['nothing has changed', 'nothing changed'],
    },
  },
  {
    en: 'accepted',
    nl: 'geaccepteerd',
    means: 'received and found good',
    never: { nl: ['aanvaard', 'aanvaarde', 'aanvaarden', 'aanvaardt'] },
  },
  {
    en: 'request',
    nl: 'verzoek',
    means: 'one call of the software of the organisation to the API',
    never: { nl: ['aanroep', 'aanroepen', 'request', 'requests'] },
  },
  {
    en: 'key',
    nl: 'sleutel',
    means: 'what the software of an organisation shows to use the API',
    never: { nl: ['API key', 'API keys', 'API-key', 'API-keys'] },
  },
  {
    en: 'live key',
    nl: 'live-sleutel',
    means: 'a key that works with real persons',
    never: {
      nl: ['live sleutel', 'live sleutels', 'sleutel van live'],
      en: ['key of live', 'production key'],
    },
  },
  {
    en: 'live verification',
    nl: 'live-verificatie',
    means: 'a verification of a real person',
    never: { nl: ['live verificatie', 'live verificaties', 'live events'] },
  },
  {
    en: 'sandbox key',
    nl: 'sandboxsleutel',
    means: 'a key to test with, without real persons',
    never: {
      nl: ['sandbox sleutel', 'sandbox-sleutel', 'sleutel van sandbox', 'sandbox-verificatie'],
      en: ['key of sandbox', 'test key'],
    },
  },
  {
    en: 'sign',
    nl: 'ondertekenen',
    means: 'to add a signature that can be checked by computing',
    never: { nl: ['tekenen', 'tekent', 'getekend', 'getekende'] },
  },
  {
    en: 'whole number',
    nl: 'geheel getal',
    means: 'a number without a fraction',
    never: { nl: ['heel getal'] },
  },
  {
    en: 'you have',
    nl: 'u heeft',
    means: 'the form of the verb that the Dutch texts use',
    never: { nl: ['hebt'] },
  },
];

/** A text that may say a forbidden word. */
export type Exception = { file: string; text: string; word: string; why: string };

const consent = 'people have agreed to this text: it is changed only with a new version of the consent';

export const exceptions: readonly Exception[] = [
  { file: 'api/verify/texts/bank.ts', text: 'explained', word: 'logt', why: 'the word of the banks' },
  { file: 'api/verify/texts/bank.ts', text: 'goText', word: 'log', why: 'the word of the banks' },
  {
    file: 'api/verify/texts/papers.ts',
    text: 'kinds.uwv_statement.where',
    word: 'logt',
    why: 'the word of UWV',
  },
  ...['brief.result', 'use.idin', 'kept.papers', 'kept.result'].map((text) => ({
    ...{ file: 'api/verify/texts/welcome.ts', text, word: 'resultaat', why: consent },
  })),
];

/** The rows of the table in `docs/glossary.md`. */
export const glossaryRows = (): string[][] => [
  ['English', 'Dutch', 'Meaning', 'Not'],
  ...glossary.map(({ en, nl, means, never, neverAlone }) => {
    const words = (language: Language) => [
      ...(never?.[language] ?? []).map((word) => `*${word}*`),
      ...(neverAlone?.[language] ?? []).map((word) => `*${word}* as a heading`),
    ];
    return [en, nl, means, [...new Set([...words('en'), ...words('nl')])].join(', ')];
  }),
];
