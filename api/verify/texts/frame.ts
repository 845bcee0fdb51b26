import type { Language } from '#contract/enums.ts';
import type { Progress } from '../../pages/components.ts';
import type { Aim } from '../aim.ts';

/** Why a request got the page of trouble. */
export type Trouble = 'tooOften' | 'away' | 'tooSlow' | 'other' | 'noPage';

type Texts = {
  otherLanguage: string;
  sandbox: Record<Aim, string>;
  /** What stands around every page. */
  shell: {
    service: string;
    serviceFor: Record<Aim, (organisation: string) => string>;
    /** Before the contact. */
    questions: string;
    privacy(organisation: string): string;
    parts: Record<'start' | 'document' | 'selfie' | 'bank' | 'papers' | 'send', string>;
    step(progress: Progress): string;
    back(organisation: string): string;
  };
  unknown: { title: string; text: string; ask: string };
  trouble: { title: string; back: string } & Record<Trouble, string>;
  wrong: string;
};

const en: Texts = {
  otherLanguage: 'Nederlands',
  sandbox: {
    identity: 'Test environment. Do not use real documents here. Photos are not stored.',
    income: 'Test environment. Do not use real documents here. Documents are not stored.',
  },
  shell: {
    service: 'Verification service',
    serviceFor: {
      identity: (organisation) => `This identity check is made on behalf of ${organisation}.`,
      income: (organisation) => `This income check is made on behalf of ${organisation}.`,
    },
    questions: 'Questions?',
    privacy: (organisation) => `Privacy statement of ${organisation}`,
    parts: {
      start: 'Start',
      document: 'Your document',
      selfie: 'Photo of yourself',
      bank: 'Your bank',
      papers: 'Your documents',
      send: 'Look and send',
    },
    step: ({ current, of, name }) => `Step ${current} of ${of}: ${name}`,
    back: (organisation) => `Back to ${organisation}`,
  },
  unknown: {
    title: 'We do not know this link',
    text: 'Check that you copied the whole link.',
    ask: 'Does it still not work? Ask the organisation that sent it to you for a new link.',
  },
  trouble: {
    title: 'That did not work',
    tooOften: 'A button was pressed too often. Wait a minute and try again.',
    away: 'The service is not available right now. What you have already done is saved. Try again in a moment.',
    other: 'We could not process what you sent. Nothing was changed.',
    tooSlow:
      'Your photo or document did not arrive. Your connection is too slow or was interrupted. Try again, if you can on Wi-Fi, or with a smaller file. What you had done before is saved.',
    noPage: 'There is no page at this address. Nothing was changed.',
    back: 'Back to the page',
  },
  wrong: 'Something is not right',
};

const nl: Texts = {
  otherLanguage: 'English',
  sandbox: {
    identity: 'Testomgeving. Gebruik hier geen echte documenten. Foto’s worden niet bewaard.',
    income: 'Testomgeving. Gebruik hier geen echte documenten. Documenten worden niet bewaard.',
  },
  shell: {
    service: 'Verificatiedienst',
    serviceFor: {
      identity: (organisation) => `Deze identiteitscontrole gebeurt in opdracht van ${organisation}.`,
      income: (organisation) => `Deze inkomenscontrole gebeurt in opdracht van ${organisation}.`,
    },
    questions: 'Vragen?',
    privacy: (organisation) => `Privacyverklaring van ${organisation}`,
    parts: {
      start: 'Begin',
      document: 'Uw document',
      selfie: 'Foto van uzelf',
      bank: 'Uw bank',
      papers: 'Uw documenten',
      send: 'Nakijken en versturen',
    },
    step: ({ current, of, name }) => `Stap ${current} van ${of}: ${name}`,
    back: (organisation) => `Terug naar ${organisation}`,
  },
  unknown: {
    title: 'Deze link kennen wij niet',
    text: 'Controleer of u de hele link heeft gekopieerd.',
    ask: 'Werkt het nog steeds niet? Vraag dan een nieuwe link aan de organisatie waarvan u deze heeft gekregen.',
  },
  trouble: {
    title: 'Dat is niet gelukt',
    tooOften: 'Er is te vaak op een knop gedrukt. Wacht een minuut en probeer het opnieuw.',
    away: 'De dienst is nu niet bereikbaar. Wat u al heeft gedaan, is opgeslagen. Probeer het zo opnieuw.',
    other: 'Wij konden niet verwerken wat u heeft verstuurd. Er is niets gewijzigd.',
    tooSlow:
      'Uw foto of document is niet aangekomen. Uw verbinding is te traag of is onderbroken. Probeer het opnieuw, als het kan via wifi, of met een kleiner bestand. Wat u al had gedaan, is opgeslagen.',
    noPage: 'Er is geen pagina op dit adres. Er is niets gewijzigd.',
    back: 'Terug naar de pagina',
  },
  wrong: 'Er klopt iets niet',
};

/** The texts around every page, and of a page that cannot be shown. */
export const frameTexts: Record<Language, Texts> = { nl, en };
