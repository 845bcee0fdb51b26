import { limits } from '#contract/limits.ts';

/** Why a reviewer's wish cannot be carried out. The text is for developers: a page has its own texts. */
const refusals = {
  erased: 'The personal data of this verification were erased, so nobody can review it.',
  already_reviewed: 'The verification is already reviewed, so nothing was changed.',
  not_in_review: 'No person has to decide about this verification.',
  copy_not_ready: 'The masked copy of the document is still being made, and nobody sees its originals.',
  already_decided: 'The member has already decided about this verification, and decides once.',
  claimed_by_other: 'Another member works on this verification.',
  not_looked:
    'The member has not looked at everything that is stored since the claim, so there is nothing to decide by.',
  claim_lost: 'The member does not have this verification: the claim has ended, or another member took it.',
  not_independent:
    'One of the two members invited, reset or gave a role to the other of late, so they are not four eyes.',
  too_late: 'The decision is due, or another member has decided since, so nobody can take it back.',
  reasons_do_not_fit: 'The reasons do not fit the outcome, the method, or what is left to look at.',
  note_too_long: `A note has at most ${limits.reviewNoteCharacters} characters.`,
  not_rejected: 'Only a rejection by a machine can be reopened.',
} as const;

export type RefusalCode = keyof typeof refusals;

/**
 * Nothing was changed, and a page can say why. It is no `Problem`, because those are what partners receive. An unknown or foreign
 * verification is the Problem `verification_not_found`.
 */
export class ReviewRefused extends Error {
  override readonly name = 'ReviewRefused';
  readonly code: RefusalCode;

  constructor(code: RefusalCode) {
    super(refusals[code]);
    this.code = code;
  }
}
