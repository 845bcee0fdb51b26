/** The steps of the hosted page. The last four offer no action. */
export type Step =
  | 'welcome'
  | 'document'
  | 'card_back'
  | 'selfie'
  | 'bank'
  | 'confirm'
  | 'checking'
  | 'done'
  | 'expired'
  | 'no_bank';
