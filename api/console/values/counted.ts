import type { Language } from '#contract/enums.ts';

/** Nobody acts differently on a larger number, and a page does not wait for one. */
const shownUpTo = 10_000;

/** How far a count goes that stands beside a link. */
export const shortUpTo = 99;

/** The same in the little room beside a link. Undefined: nothing stands there. */
export const countedShort = (count: number): string | undefined =>
  count === 0 ? undefined : count > shortUpTo ? `${shortUpTo}+` : `${count}`;

const moreThan: Record<Language, string> = { en: 'more than', nl: 'meer dan' };

/** A count that may end somewhere above `shownUpTo`, as a page shows it. */
export const counted = (language: Language, count: number): string =>
  count > shownUpTo
    ? `${moreThan[language]} ${shownUpTo.toLocaleString(language)}`
    : count.toLocaleString(language);
