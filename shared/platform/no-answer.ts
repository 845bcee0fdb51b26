import type { AttemptReason } from '#contract/enums.ts';

/**
 * The reason why an attempt got no answer, as partners read it. The reason never reveals to which address a
 * host name resolved.
 */
export type NoAnswerReason = Exclude<
  AttemptReason,
  'http_status' | 'redirect_not_followed' | 'outcome_unknown'
>;

/**
 * Ends an attempt for a reason that our own code found. `outbound-http.ts` maps network errors to a reason.
 */
export class NoAnswer extends Error {
  readonly reason: NoAnswerReason;

  constructor(reason: NoAnswerReason) {
    super(reason);
    this.name = 'NoAnswer';
    this.reason = reason;
  }
}
