import type { ConsentItem, ReviewOutcome } from '#contract/enums.ts';

type Texts = { en: string; nl: string };

/** A reason that the product gives by itself. */
type PartnerReason = Texts & { audience: 'partner' };

/** What a reviewer looks at: something that the person consented to, or the face beside the document. */
export type Assessed = ConsentItem | 'likeness';

/** A reason that a reviewer chooses. `about` is what the reviewer looked at, another way than the flow, or pictures that are gone. */
type ReviewerReason = Texts & {
  audience: 'reviewer';
  outcome: ReviewOutcome;
  about: Assessed | 'other_way' | 'gone';
};

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
  document_may_be_copy: {
    en: 'The picture may show a screen, a print or a copy instead of the document itself; a person makes the final assessment.',
    nl: 'De foto toont misschien een scherm, een afdruk of een kopie in plaats van het document zelf; een mens maakt de eindbeoordeling.',
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
  faces_alike: {
    en: 'The face and the portrait look alike; this is an indication, and a person makes the final assessment.',
    nl: 'Het gezicht en de pasfoto lijken op elkaar; dit is een aanwijzing, en een mens maakt de eindbeoordeling.',
    audience: 'partner',
  },
  faces_differ: {
    en: 'The face and the portrait look different; this is an indication, and a person makes the final assessment.',
    nl: 'Het gezicht en de pasfoto lijken niet op elkaar; dit is een aanwijzing, en een mens maakt de eindbeoordeling.',
    audience: 'partner',
  },
  portrait_not_found: {
    en: 'The face was not compared, because no portrait was found on the document; a person makes the final assessment.',
    nl: 'Het gezicht is niet vergeleken, omdat op het document geen pasfoto is gevonden; een mens maakt de eindbeoordeling.',
    audience: 'partner',
  },
  several_portraits: {
    en: 'The face was not compared, because the picture of the document shows several faces; a person makes the final assessment.',
    nl: 'Het gezicht is niet vergeleken, omdat de foto van het document meer gezichten toont; een mens maakt de eindbeoordeling.',
    audience: 'partner',
  },
  portrait_too_small: {
    en: 'The face was not compared, because the portrait on the document is too small; a person makes the final assessment.',
    nl: 'Het gezicht is niet vergeleken, omdat de pasfoto op het document te klein is; een mens maakt de eindbeoordeling.',
    audience: 'partner',
  },
  face_not_found: {
    en: 'The face was not compared, because no face was found; a person makes the final assessment.',
    nl: 'Het gezicht is niet vergeleken, omdat er geen gezicht is gevonden; een mens maakt de eindbeoordeling.',
    audience: 'partner',
  },
  several_faces: {
    en: 'The face was not compared, because the picture shows several faces; a person makes the final assessment.',
    nl: 'Het gezicht is niet vergeleken, omdat de foto meer gezichten toont; een mens maakt de eindbeoordeling.',
    audience: 'partner',
  },
  face_too_small: {
    en: 'The face was not compared, because it is too small in the picture; a person makes the final assessment.',
    nl: 'Het gezicht is niet vergeleken, omdat het te klein is op de foto; een mens maakt de eindbeoordeling.',
    audience: 'partner',
  },
  person_assesses_presence: {
    en: 'It was not examined whether the person was present; a person makes the final assessment.',
    nl: 'Er is niet onderzocht of de persoon aanwezig was; een mens maakt de eindbeoordeling.',
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
  bank_simulated: {
    en: 'The bank was a simulator; nobody was identified.',
    nl: 'De bank was een simulator; van niemand is de identiteit bewezen.',
    audience: 'partner',
  },
  income_amounts_in_doubt: {
    en: 'The amounts on the documents are in doubt; a person makes the final assessment.',
    nl: 'De bedragen op de documenten zijn onzeker; een mens maakt de eindbeoordeling.',
    audience: 'partner',
  },
  income_in_doubt: {
    en: 'The documents are in doubt; a person makes the final assessment.',
    nl: 'De documenten zijn onzeker; een mens maakt de eindbeoordeling.',
    audience: 'partner',
  },
  income_person_assesses: {
    en: 'Nothing in the documents is in doubt; a person makes the final assessment.',
    nl: 'Aan de documenten is niets onzeker; een mens maakt de eindbeoordeling.',
    audience: 'partner',
  },
  income_document_changed: {
    en: 'A document was changed after it was made.',
    nl: 'Een document is veranderd nadat het was gemaakt.',
    audience: 'partner',
  },
  reviewer_accepts_document: {
    en: 'A person examined the document and found it in order.',
    nl: 'Een mens heeft het document bekeken en vindt het in orde.',
    audience: 'reviewer',
    outcome: 'approved',
    about: 'document',
  },
  reviewer_accepts_likeness: {
    en: 'A person compared the face with the document and found that they match.',
    nl: 'Een mens heeft het gezicht met het document vergeleken en vindt dat ze bij elkaar horen.',
    audience: 'reviewer',
    outcome: 'approved',
    about: 'likeness',
  },
  reviewer_accepts_bank: {
    en: 'A person examined the identity attributes and found them in order.',
    nl: 'Een mens heeft de identiteitsgegevens bekeken en vindt ze in orde.',
    audience: 'reviewer',
    outcome: 'approved',
    about: 'bank',
  },
  reviewer_accepts_income: {
    en: 'A person examined the documents and found them in order.',
    nl: 'Een mens heeft de documenten bekeken en vindt ze in orde.',
    audience: 'reviewer',
    outcome: 'approved',
    about: 'income',
  },
  reviewer_identified_other_way: {
    en: 'The end user was identified in another way.',
    nl: 'De persoon heeft zich op een andere manier gelegitimeerd.',
    audience: 'reviewer',
    outcome: 'approved',
    about: 'other_way',
  },
  reviewer_doubts_document: {
    en: 'A person found that the document does not seem genuine.',
    nl: 'Een mens vindt dat het document niet echt lijkt.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'document',
  },
  reviewer_finds_contradiction: {
    en: "A person found that the document's data contradict each other.",
    nl: 'Een mens vindt dat de gegevens van het document elkaar tegenspreken.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'document',
  },
  reviewer_finds_expired: {
    en: 'A person found that the document has expired.',
    nl: 'Een mens vindt dat het document verlopen is.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'document',
  },
  reviewer_cannot_read: {
    en: 'A person could not read the pictures well enough.',
    nl: "Een mens kon de foto's niet goed genoeg lezen.",
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'document',
  },
  reviewer_finds_other_face: {
    en: 'A person compared the face with the document and found that they do not match.',
    nl: 'Een mens heeft het gezicht met het document vergeleken en vindt dat ze niet bij elkaar horen.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'likeness',
  },
  reviewer_doubts_face: {
    en: 'A person found that the picture of the face was not taken of a living person.',
    nl: 'Een mens vindt dat de foto van het gezicht niet van een aanwezige persoon is gemaakt.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'face',
  },
  reviewer_rejects_bank: {
    en: 'A person found that the identity attributes are not in order.',
    nl: 'Een mens vindt dat de identiteitsgegevens niet in orde zijn.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'bank',
  },
  reviewer_doubts_income_document: {
    en: 'A person found that a document does not seem genuine.',
    nl: 'Een mens vindt dat een document niet echt lijkt.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'income',
  },
  reviewer_finds_income_contradiction: {
    en: 'A person found that the amounts contradict each other.',
    nl: 'Een mens vindt dat de bedragen elkaar tegenspreken.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'income',
  },
  reviewer_finds_other_person: {
    en: 'A person found that the documents are not those of the end user.',
    nl: 'Een mens vindt dat de documenten niet van deze persoon zijn.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'income',
  },
  reviewer_did_not_identify: {
    en: 'The end user was not identified in another way.',
    nl: 'De persoon heeft zich niet op een andere manier gelegitimeerd.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'other_way',
  },
  reviewer_cannot_assess: {
    en: 'The pictures are no longer kept, so nobody can assess them; this says nothing about the end user.',
    nl: "De foto's worden niet meer bewaard, dus niemand kan ze beoordelen; dit zegt niets over de persoon.",
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'gone',
  },
} as const satisfies Record<string, PartnerReason | ReviewerReason>;

export type ReasonId = keyof typeof reasons;

export const reasonText = (id: ReasonId): string => reasons[id].en;
