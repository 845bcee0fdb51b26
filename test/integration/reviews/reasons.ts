import type { Method, ReviewOutcome } from '#contract/enums.ts';
import { groundsOf, reviewerReasons } from '#policy/reviews.ts';

/** The reasons of a usual decision by pictures. */
export const reasonsFor = (outcome: ReviewOutcome, method: Method = 'document_liveness') => {
  const whole = groundsOf(method, { environment: 'sandbox', reasonIds: [], kinds: [] });
  const offered = reviewerReasons(whole, outcome);
  return outcome === 'approved' ? offered : offered.slice(0, 1);
};
