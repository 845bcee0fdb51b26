import type { ErrorCode } from '#contract/errors.ts';
import type { SubscribableType } from '#contract/events.ts';

/** What partners see of a method: a verification or an income check. Both have the same life. */
export type Resource = 'verification' | 'income_check';

type Row = {
  /** The error if nothing has the id. */
  notFound: ErrorCode;
  /** The events about its verdict (specification 6; decision 49). */
  events: Record<'completed' | 'reviewed', SubscribableType>;
};

export const resources = {
  verification: {
    notFound: 'verification_not_found',
    events: { completed: 'verification.completed', reviewed: 'verification.reviewed' },
  },
  income_check: {
    notFound: 'income_check_not_found',
    events: { completed: 'income_check.completed', reviewed: 'income_check.reviewed' },
  },
} as const satisfies Record<Resource, Row>;

const typesOf = (moment: keyof Row['events']) => ({
  type: resources.verification.events[moment],
  incomeType: resources.income_check.events[moment],
});

/** The types of the events of each moment, for a query that does not know yet which of the two a row is. */
export const typesOfVerdict = typesOf('completed');
export const typesOfReview = typesOf('reviewed');
