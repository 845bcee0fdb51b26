import { dayInUtc, dayMs, startOfDay } from '#contract/time.ts';
import { keptMs } from './retention.ts';

/** How many days before a removal an organisation is warned that nobody reported the end of the relationship. */
export const removalWarningDays = 90;

/** The end of the relationship if `date` (YYYY-MM-DD) was its last day: the end of that day in UTC. */
export const relationEndOn = (date: string): Date => new Date(startOfDay(date).getTime() + dayMs);

/** The last day (YYYY-MM-DD, UTC) of a relationship with this end. */
export const lastDayOf = (endedAt: Date): string => dayInUtc(new Date(endedAt.getTime() - dayMs));

/** The end of the years for which a completed verification is kept. `from` is the end of the relationship, or the completion. */
export const keptUntil = (from: Date): Date => new Date(from.getTime() + keptMs.completed_verifications);

/** A completed verification is removed within so many days if its years count from a time before the returned one. */
export const removedWithin = (days: number, now: Date): Date =>
  new Date(now.getTime() - keptMs.completed_verifications + days * dayMs);
