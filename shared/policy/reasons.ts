import { reasonsOfReviewers } from './reviewer-reasons.ts';

/** A reason that the product gives by itself. */
type PartnerReason = { en: string; nl: string; audience: 'partner' };

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
    nl: 'De gezichtsvergelijking is onzeker; een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  document_data_in_doubt: {
    en: "The document's data are in doubt; a person makes the final assessment.",
    nl: 'De gegevens van het document zijn onzeker; een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  document_may_be_copy: {
    en: 'The picture may show a screen, a print or a copy instead of the document itself; a person makes the final assessment.',
    nl: 'De foto toont misschien een scherm, een afdruk of een kopie in plaats van het document zelf; een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  identity_attributes_in_doubt: {
    en: 'The identity attributes are in doubt; a person makes the final assessment.',
    nl: 'De identiteitsgegevens zijn onzeker; een medewerker beoordeelt dit.',
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
    nl: 'De echtheid van het document is niet onderzocht; een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  person_assesses_likeness: {
    en: 'The face comparison was not made; a person makes the final assessment.',
    nl: 'De gezichtsvergelijking is niet gemaakt; een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  faces_alike: {
    en: 'The face and the portrait look alike; this is an indication, and a person makes the final assessment.',
    nl: 'Het gezicht en de pasfoto lijken op elkaar; dit is een aanwijzing, en een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  faces_differ: {
    en: 'The face and the portrait look different; this is an indication, and a person makes the final assessment.',
    nl: 'Het gezicht en de pasfoto lijken niet op elkaar; dit is een aanwijzing, en een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  selfie_may_be_recaptured: {
    en: 'The photo of the face may show a screen or a print; this is a hint, and a person makes the final assessment.',
    nl: 'De foto van het gezicht toont misschien een scherm of een afdruk; dit is een aanwijzing, en een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  portrait_not_found: {
    en: 'The face was not compared, because no portrait was found on the document; a person makes the final assessment.',
    nl: 'Het gezicht is niet vergeleken, omdat op het document geen pasfoto is gevonden; een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  several_portraits: {
    en: 'The face was not compared, because the picture of the document shows several faces; a person makes the final assessment.',
    nl: 'Het gezicht is niet vergeleken, omdat de foto van het document meer gezichten toont; een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  portrait_too_small: {
    en: 'The face was not compared, because the portrait on the document is too small; a person makes the final assessment.',
    nl: 'Het gezicht is niet vergeleken, omdat de pasfoto op het document te klein is; een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  face_not_found: {
    en: 'The face was not compared, because no face was found; a person makes the final assessment.',
    nl: 'Het gezicht is niet vergeleken, omdat er geen gezicht is gevonden; een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  several_faces: {
    en: 'The face was not compared, because the picture shows several faces; a person makes the final assessment.',
    nl: 'Het gezicht is niet vergeleken, omdat de foto meer gezichten toont; een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  face_too_small: {
    en: 'The face was not compared, because it is too small in the picture; a person makes the final assessment.',
    nl: 'Het gezicht is niet vergeleken, omdat het te klein is op de foto; een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  person_assesses_presence: {
    en: 'It was not examined whether the person was present; a person makes the final assessment.',
    nl: 'Er is niet onderzocht of de persoon aanwezig was; een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  movements_as_asked: {
    en: 'The person before the camera moved as asked; this is an indication, and a person makes the final assessment.',
    nl: 'De persoon voor de camera bewoog zoals gevraagd; dit is een aanwijzing, en een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  movements_not_made: {
    en: 'The end user made no movements before the camera; a person makes the final assessment.',
    nl: 'De persoon heeft voor de camera geen bewegingen gemaakt; een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  movements_unclear: {
    en: 'The movements before the camera could not be measured well; a person makes the final assessment.',
    nl: 'De bewegingen voor de camera waren niet goed te meten; een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  movements_not_as_asked: {
    en: 'The movements before the camera were not those that were asked for; this is an indication, and a person makes the final assessment.',
    nl: 'De bewegingen voor de camera waren andere dan gevraagd; dit is een aanwijzing, en een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  movements_not_one_recording: {
    en: 'The pictures of the movements do not look like one recording; this is an indication, and a person makes the final assessment.',
    nl: 'De beelden van de bewegingen lijken niet uit een en dezelfde opname te komen; dit is een aanwijzing, en een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  movements_of_other_face: {
    en: 'The face that made the movements looks different from the photo of the face; this is an indication, and a person makes the final assessment.',
    nl: 'Het gezicht dat de bewegingen maakte, lijkt niet op de foto van het gezicht; dit is een aanwijzing, en een medewerker beoordeelt dit.',
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
    nl: 'De bedragen op de documenten zijn onzeker; een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  income_in_doubt: {
    en: 'The documents are in doubt; a person makes the final assessment.',
    nl: 'De documenten zijn onzeker; een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  income_person_assesses: {
    en: 'Nothing in the documents is in doubt; a person makes the final assessment.',
    nl: 'Aan de documenten is niets onzeker; een medewerker beoordeelt dit.',
    audience: 'partner',
  },
  income_document_changed: {
    en: 'A document was changed after it was made.',
    nl: 'Een document is veranderd nadat het was gemaakt.',
    audience: 'partner',
  },
  ...reasonsOfReviewers,
} as const satisfies Record<
  string,
  PartnerReason | (typeof reasonsOfReviewers)[keyof typeof reasonsOfReviewers]
>;

export type ReasonId = keyof typeof reasons;

export const reasonText = (id: ReasonId): string => reasons[id].en;
