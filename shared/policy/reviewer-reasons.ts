import type { ConsentItem, ReviewOutcome } from '#contract/enums.ts';

/** What a reviewer looks at: something that the person consented to, or the face beside the document. */
export type Assessed = ConsentItem | 'likeness';

/** A reason that a reviewer chooses. `about` is what the reviewer looked at, another way than the flow, or pictures that are gone. */
type ReviewerReason = {
  en: string;
  nl: string;
  audience: 'reviewer';
  outcome: ReviewOutcome;
  about: Assessed | 'other_way' | 'gone';
};

/** The part of the catalogue of reasons that reviewers choose from. */
export const reasonsOfReviewers = {
  reviewer_accepts_document: {
    en: 'A person examined the document and found it in order.',
    nl: 'Een beoordelaar heeft het document bekeken en vindt het in orde.',
    audience: 'reviewer',
    outcome: 'approved',
    about: 'document',
  },
  reviewer_accepts_likeness: {
    en: 'A person compared the face with the document and found that they match.',
    nl: 'Een beoordelaar heeft het gezicht met het document vergeleken en vindt dat ze bij elkaar horen.',
    audience: 'reviewer',
    outcome: 'approved',
    about: 'likeness',
  },
  reviewer_accepts_bank: {
    en: 'A person examined the identity attributes and found them in order.',
    nl: 'Een beoordelaar heeft de identiteitsgegevens bekeken en vindt ze in orde.',
    audience: 'reviewer',
    outcome: 'approved',
    about: 'bank',
  },
  reviewer_accepts_income: {
    en: 'A person examined the documents and found them in order.',
    nl: 'Een beoordelaar heeft de documenten bekeken en vindt ze in orde.',
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
    nl: 'Een beoordelaar vindt dat het document niet echt lijkt.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'document',
  },
  reviewer_finds_contradiction: {
    en: "A person found that the document's data contradict each other.",
    nl: 'Een beoordelaar vindt dat de gegevens van het document elkaar tegenspreken.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'document',
  },
  reviewer_finds_expired: {
    en: 'A person found that the document has expired.',
    nl: 'Een beoordelaar vindt dat het document verlopen is.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'document',
  },
  reviewer_cannot_read: {
    en: 'A person could not read the pictures well enough.',
    nl: "Een beoordelaar kon de foto's niet goed genoeg lezen.",
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'document',
  },
  reviewer_finds_other_face: {
    en: 'A person compared the face with the document and found that they do not match.',
    nl: 'Een beoordelaar heeft het gezicht met het document vergeleken en vindt dat ze niet bij elkaar horen.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'likeness',
  },
  reviewer_doubts_face: {
    en: 'A person found that the picture of the face was not taken of a living person.',
    nl: 'Een beoordelaar vindt dat de foto van het gezicht niet van een aanwezige persoon is gemaakt.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'face',
  },
  reviewer_rejects_bank: {
    en: 'A person found that the identity attributes are not in order.',
    nl: 'Een beoordelaar vindt dat de identiteitsgegevens niet in orde zijn.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'bank',
  },
  reviewer_doubts_income_document: {
    en: 'A person found that a document does not seem genuine.',
    nl: 'Een beoordelaar vindt dat een document niet echt lijkt.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'income',
  },
  reviewer_finds_income_contradiction: {
    en: 'A person found that the amounts contradict each other.',
    nl: 'Een beoordelaar vindt dat de bedragen elkaar tegenspreken.',
    audience: 'reviewer',
    outcome: 'rejected',
    about: 'income',
  },
  reviewer_finds_other_person: {
    en: 'A person found that the documents are not those of the end user.',
    nl: 'Een beoordelaar vindt dat de documenten niet van deze persoon zijn.',
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
} as const satisfies Record<string, ReviewerReason>;
