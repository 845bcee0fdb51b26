import type { Environment, Language } from '#contract/enums.ts';

const en = {
  queue: {
    live: 'A live verification comes here when the person has sent everything and a person has to decide. Look at the verifications to see which ones are under way.',
    sandbox: 'To try it, create a sandbox verification with the scenario `review`.',
  } as Record<Environment, string>,
  verifications: 'Verifications',
  searchHint: 'Give the reference in full, or take a filter away.',
  otherEnvironment: { live: 'Search in live', sandbox: 'Search in sandbox' } as Record<Environment, string>,
};

const nl: typeof en = {
  queue: {
    live: 'Een live verificatie komt hier als de persoon alles heeft verstuurd en een mens moet beslissen. Bekijk de verificaties om te zien welke er lopen.',
    sandbox: 'Probeer het met een sandbox-verificatie met het scenario `review`.',
  },
  verifications: 'Verificaties',
  searchHint: 'Geef de hele referentie, of haal een filter weg.',
  otherEnvironment: { live: 'Zoek in live', sandbox: 'Zoek in sandbox' },
};

/** What a page with an empty list says about what to do. */
export const emptyTexts: Record<Language, typeof en> = { en, nl };
