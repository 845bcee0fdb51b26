import type { AttemptReason } from '#contract/enums.ts';

/**
 * The reason why an attempt got no answer. Partners can read the reason, so it never reveals to which address a host name resolved.
 */
export type NoAnswerReason = Exclude<
  AttemptReason,
  'http_status' | 'redirect_not_followed' | 'outcome_unknown'
>;

/** Ends an attempt for a reason that our own code found. `outbound/http.ts` maps network errors to reasons. */
export class NoAnswer extends Error {
  readonly reason: NoAnswerReason;

  constructor(reason: NoAnswerReason) {
    super(reason);
    this.name = 'NoAnswer';
    this.reason = reason;
  }
}
