/** The steps of the hosted page. At the last five steps, the person has nothing to do. */
export type Step =
  | 'welcome'
  | 'document'
  | 'card_back'
  | 'selfie'
  | 'movements'
  | 'bank'
  | 'papers'
  | 'confirm'
  | 'checking'
  | 'done'
  | 'expired'
  | 'cancelled'
  | 'no_bank';
