import type { Language } from '#contract/enums.ts';

const en = {
  title: 'Evidence',
  kept: 'This is kept:',
  until: 'Pictures are deleted on',
  sandbox: 'Sandbox keeps no pictures, so you see specimens.',
  logged: 'Each look is a line in the history, with your name.',
  show: 'Show the evidence',
  again: 'Show it again',
  gone: 'It is kept no longer, since',
  open: 'It can be seen when there is a verdict.',
  unmasked: 'The copy of the document without the BSN is still being made. Look again in a minute.',
  none: 'There is none: nothing was kept of what the person handed in, or nothing was handed in.',
  waits: 'A person has to decide about it.',
  review: 'Review',
  noOutcome: 'Choose to approve or to reject. Nothing was decided.',
  history: 'The whole history',
  notes: 'Notes of reviewers',
};

const nl: typeof en = {
  title: 'Bewijs',
  kept: 'Dit is bewaard:',
  until: 'Foto’s worden verwijderd op',
  sandbox: 'Sandbox bewaart geen foto’s, dus u ziet voorbeelden.',
  logged: 'Elke keer dat u het bewijs bekijkt, komt dat met uw naam in de geschiedenis.',
  show: 'Bewijs tonen',
  again: 'Opnieuw tonen',
  gone: 'Het wordt niet meer bewaard, sinds',
  open: 'U kunt het bekijken zodra er een oordeel is.',
  unmasked: 'De kopie van het document zonder BSN wordt nog gemaakt. Kijk over een minuut opnieuw.',
  none: 'Er is geen bewijs: er is niets ingeleverd, of er is niets van bewaard.',
  waits: 'Een medewerker moet hierover beslissen.',
  review: 'Beoordelen',
  noOutcome: 'Kies goedkeuren of afwijzen. Er is niets beslist.',
  history: 'De hele geschiedenis',
  notes: 'Notities van beoordelaars',
};

export const evidenceTexts: Record<Language, typeof en> = { en, nl };
