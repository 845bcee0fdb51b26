import type { PayFrequency } from '#contract/enums.ts';
import type { Line } from './equations.ts';
import { holidayPercent } from './law.ts';
import { labels } from './values/terms.ts';

const periodsOfYear = { weekly: 52, four_weekly: 13, monthly: 12, yearly: 1 } as const;

/**
 * If holiday pay is this share of the other wage, in percent, it is paid in each period. If the share is larger, it is the holiday pay of a
 * whole year.
 */
const holidayShare = { least: 7, most: 12 } as const;

/**
 * The wage of a year: that of a period without what is paid once, and with holiday pay. Holiday pay that comes with each period is in the
 * wage already.
 */
export function yearlyWage(gross: number, earned: readonly Line[], frequency: PayFrequency): number {
  const { regular, holiday } = partsOfWage(gross, earned);
  const share = regular > 0 ? (holiday * 100) / regular : 0;
  const isEach = share >= holidayShare.least && share <= holidayShare.most;
  const period = isEach ? regular + holiday : (regular * (100 + holidayPercent)) / 100;
  return Math.round(periodsOfYear[frequency] * period);
}

/** The wage of a year without holiday pay and what is paid once. */
export const yearlyBase = (gross: number, earned: readonly Line[], frequency: PayFrequency): number =>
  partsOfWage(gross, earned).regular * periodsOfYear[frequency];

function partsOfWage(gross: number, earned: readonly Line[]): { regular: number; holiday: number } {
  const named = (rule: RegExp) =>
    earned
      .filter(({ entry }) => entry.parts.some((part) => rule.test(part)))
      .reduce((sum, { figure }) => sum + figure.cents, 0);
  const holiday = named(labels.holiday);
  return { regular: gross - holiday - named(labels.once), holiday };
}
