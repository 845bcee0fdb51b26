import type { AttemptReason } from '#contract/enums.ts';

/** Why a receiver gave no answer. What a partner reads never says which address a name led to. */
export type NoAnswerReason = Exclude<
  AttemptReason,
  'http_status' | 'redirect_not_followed' | 'outcome_unknown'
>;

/** Ends an attempt for a reason of our own finding, rather than an error of the network's. */
export class NoAnswer extends Error {
  readonly reason: NoAnswerReason;

  constructor(reason: NoAnswerReason) {
    super(reason);
    this.name = 'NoAnswer';
    this.reason = reason;
  }
}
