import { at, doubt, type Finding, failed, notApplicable, passed, sign, together } from './finding.ts';
import { holidayPercent, minimumFor } from './law.ts';
import type { Settled } from './sums.ts';
import { euros } from './values/amounts.ts';
import type { Reading } from './values/reading.ts';
import type { Entry } from './values/table.ts';
import { labels } from './values/terms.ts';

const adult = 21;

/** The wage against the least that the law allows. Without a date of birth, a lower wage may be that of a young person. */
export function legalMinimum(reading: Reading, settled: Settled): Finding {
  return together([wageFinding(reading), printedFinding(reading), holidayFinding(reading, settled)]);
}

function ageOn(birth: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(birth.slice(0, 4));
  return day.slice(5) < birth.slice(5) ? years - 1 : years;
}

/** Rounding of a wage for a month to one for an hour. */
const roundingCents = 2;

function wageFinding({ hourly, minimum, period, birth }: Reading): Finding {
  if (hourly === null || period === null) return notApplicable;
  const day = period.value.start;
  const ages = birth === null ? agesOf(day, minimum?.value) : [ageOn(birth, day)];
  const least = minimumFor(day, Math.min(...ages));
  if (least === undefined) return notApplicable;
  if (hourly.value >= least.usual - roundingCents) return passed;
  const where = sign('below_minimum', {
    ...at(hourly.cell),
    found: euros(hourly.value),
    expected: euros(least.usual),
  });
  const canBePupil = hourly.value >= least.pupil - roundingCents;
  return birth === null || canBePupil ? doubt(where) : failed(where);
}

const youths = [15, 16, 17, 18, 19, 20, adult];

/** The ages for which a minimum is the printed one. Without such a print, an adult is taken. */
function agesOf(day: string, printed: number | undefined): number[] {
  const found = youths.filter((age) => {
    const known = minimumFor(day, age);
    return known !== undefined && printed !== undefined && isNear(known, printed);
  });
  return found.length > 0 ? found : [adult];
}

const isNear = ({ usual, pupil }: { usual: number; pupil: number }, cents: number) =>
  [usual, pupil].some((each) => Math.abs(each - cents) <= roundingCents);

/** The minimum that the slip prints for this person. One for a month or a week is not compared. */
function printedFinding({ minimum, period, birth }: Reading): Finding {
  if (minimum === null || period === null || minimum.value > hourlyMax) return notApplicable;
  const ages = birth === null ? youths : [ageOn(birth, period.value.start), ageOn(birth, period.value.end)];
  const known = [period.value.start, period.value.end].flatMap((day) =>
    ages.flatMap((age) => minimumFor(day, age) ?? []),
  );
  if (known.length === 0) return notApplicable;
  if (known.some((each) => isNear(each, minimum.value))) return passed;
  return doubt(
    sign('printed_minimum', {
      ...at(minimum.cell),
      found: euros(minimum.value),
      expected: euros(known.at(-1)?.usual ?? 0),
    }),
  );
}

/** An amount above this, in cents, is none for an hour. */
const hourlyMax = 5_000;

/** What is put aside for the holidays in a period, against the wage of the period. Overtime may not count, so only too little is seen. */
function holidayFinding({ entries }: Reading, { earned }: Settled): Finding {
  const reserve = entries
    .find(isReserve)
    ?.figures.find(({ column }) => column !== 'year' && column !== 'minus');
  const counted = earned.filter(
    ({ entry, figure }) =>
      figure.cents < 0 ||
      !entry.parts.some((part) =>
        [labels.holiday, labels.once, labels.overtime].some((rule) => rule.test(part)),
      ),
  );
  const wage = counted.reduce((sum, { figure }) => sum + figure.cents, 0);
  if (reserve === undefined || wage <= 0) return notApplicable;
  const wanted = Math.floor((wage * holidayPercent) / 100);
  if (reserve.cents >= wanted - roundingCents) return passed;
  return doubt(
    sign('holiday_pay', { ...at(reserve.cell), found: euros(reserve.cents), expected: euros(wanted) }),
  );
}

/** Holiday pay that is put aside. Its label can stand in the heading, and `opbouw` over the amount. */
function isReserve({ parts, section }: Entry): boolean {
  if (parts.some((part) => /saldo|balance|opgenomen|stand/.test(part))) return false;
  const says = (rule: RegExp) => parts.some((part) => rule.test(part));
  const isAdded = says(/reserv|opgebouwd|opbouw|accrued|accrual/);
  if (says(labels.holiday)) return isAdded || section === 'aside';
  return isAdded && parts.every((part) => part === 'opbouw');
}
