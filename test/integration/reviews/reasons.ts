import type { Method, ReviewOutcome } from '#contract/enums.ts';
import { reviewerReasons } from '#policy/reviews.ts';

/** The reasons of a usual decision by pictures. */
export const reasonsFor = (outcome: ReviewOutcome, method: Method = 'document_liveness') => {
  const offered = reviewerReasons(method, 'evidence', outcome);
  return outcome === 'approved' ? offered : offered.slice(0, 1);
};
