import type { Language } from '#contract/enums.ts';
import { startOfDay } from '#contract/time.ts';

/** How readers of a language write numbers and days. */
export const locales: Record<Language, string> = { nl: 'nl-NL', en: 'en-GB' };

/** An amount as readers of the language write it. */
export const eurosIn = (language: Language, cents: number): string =>
  new Intl.NumberFormat(locales[language], { style: 'currency', currency: 'EUR' }).format(cents / 100);

/** A calendar day such as `2026-11-21`, as readers of the language write it. What is no day stays as it is. */
export function dayIn(language: Language, day: string): string {
  const at = startOfDay(day);
  if (Number.isNaN(at.getTime())) return day;
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeZone: 'UTC' }).format(at);
}
