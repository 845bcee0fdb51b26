/**
 * The catalogue of reasons (decision 11). A verdict takes its reasons from this catalogue and never from free text, so no reason
 * contains personal data. REST and events use the English text.
 */
export const reasons = {
  all_checks_passed: {
    en: 'All checks passed.',
    nl: 'Alle controles zijn goed.',
    audience: 'partner',
  },
  face_comparison_in_doubt: {
    en: 'The face comparison is in doubt; a person makes the final assessment.',
    nl: 'De gezichtsvergelijking is onzeker; een mens maakt de eindbeoordeling.',
    audience: 'partner',
  },
  document_data_in_doubt: {
    en: "The document's data are in doubt; a person makes the final assessment.",
    nl: 'De gegevens van het document zijn onzeker; een mens maakt de eindbeoordeling.',
    audience: 'partner',
  },
  identity_attributes_in_doubt: {
    en: 'The identity attributes are in doubt; a person makes the final assessment.',
    nl: 'De identiteitsgegevens zijn onzeker; een mens maakt de eindbeoordeling.',
    audience: 'partner',
  },
  document_check_failed: {
    en: 'The document check failed.',
    nl: 'De controle van het document is niet goed.',
    audience: 'partner',
  },
  document_expired: {
    en: 'The document has expired.',
    nl: 'Het document is verlopen.',
    audience: 'partner',
  },
  person_assesses: {
    en: 'The document was not examined for genuineness; a person makes the final assessment.',
    nl: 'De echtheid van het document is niet onderzocht; een mens maakt de eindbeoordeling.',
    audience: 'partner',
  },
  person_assesses_likeness: {
    en: 'The face comparison was not made; a person makes the final assessment.',
    nl: 'De gezichtsvergelijking is niet gemaakt; een mens maakt de eindbeoordeling.',
    audience: 'partner',
  },
  document_data_passed: {
    en: "The document's data passed all checks; the document was not examined for genuineness.",
    nl: 'De gegevens van het document zijn goed; de echtheid van het document is niet onderzocht.',
    audience: 'partner',
  },
  other_way_asked: {
    en: 'The end user wants no photo of their face and asks for another way.',
    nl: 'De persoon wil geen foto van het gezicht en vraagt om een andere manier.',
    audience: 'partner',
  },
  bank_identification_failed: {
    en: 'The identification at the bank failed.',
    nl: 'De identificatie bij de bank is niet gelukt.',
    audience: 'partner',
  },
} as const;

export type ReasonId = keyof typeof reasons;

export const reasonText = (id: ReasonId): string => reasons[id].en;
