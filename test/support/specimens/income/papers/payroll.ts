import { dayMs } from '#contract/time.ts';
import { ageOn, type Period } from './notation.ts';
import type { Employee, Employer } from './people.ts';

/** What an employer agreed with an employee. Amounts are cents, percentages hundredths of a percent. */
export type Employment = {
  employer: Employer;
  employee: Employee;
  since: string;
  until?: string;
  hoursPerWeek: number;
  /** For each month or each four weeks. An hourly paid employee has none. */
  salaryCents?: number;
  hourlyCents: number;
  pensionRate: number;
  /** The part of a year's wage on which no pension is built up. */
  franchiseCents: number;
  wgaRate: number;
  taxCredit: boolean;
  zvw: 'by the employer' | 'by the employee';
  holidayPay: 'in May' | 'each period';
  travelCents: number;
  associationCents: number;
  car?: { additionCents: number; contributionCents: number };
  ruling30?: boolean;
  thirteenthMonth?: number;
};

/** What is special in one period. */
export type Events = {
  hours?: number;
  overtimeHours?: number;
  sickHours?: number;
  /** A correction of an earlier period, mostly negative. */
  correctionCents?: number;
  bonusCents?: number;
  homeDays?: number;
};

export type Part = 'gross' | 'taxable' | 'withheld' | 'net';

/** A line of a slip. Hours are hundredths, the sign of the cents is that with which they count. */
export type Line = {
  key: string;
  code: number;
  nl: string;
  en: string;
  part: Part;
  hours?: number;
  rateCents?: number;
  percent?: number;
  cents: number;
  yearCents: number;
};

export type Slip = {
  employment: Employment;
  period: Period;
  paidOn: string;
  lines: Line[];
  workedHours: number;
  /** Cents of this period and of the year until its end. */
  totals: Record<Total, { cents: number; yearCents: number }>;
  reserve: { before: number; added: number; paid: number; after: number } | undefined;
  minimumHourlyCents: number | undefined;
  age: number;
};
export type Total = 'gross' | 'taxable' | 'tax' | 'net' | 'socialWage' | 'zvwEmployer' | 'employerTotal';

/**
 * The minimum wage for an hour of somebody of 21 or older, by its first day. Source: the halves of a year as the ministry published
 * them. Papers of a later date print none.
 */
const minimumWages: readonly [since: string, cents: number][] = [
  ['2024-01-01', 1327],
  ['2024-07-01', 1368],
  ['2025-01-01', 1406],
  ['2025-07-01', 1440],
  ['2026-01-01', 1471],
  ['2026-07-01', Number.NaN],
];
const youthShares: Readonly<Record<number, number>> = { 15: 30, 16: 34.5, 17: 39.5, 18: 50, 19: 60, 20: 80 };

export function minimumHourly(day: string, age: number): number | undefined {
  const cents = minimumWages.findLast(([since]) => since <= day)?.[1];
  if (cents === undefined || Number.isNaN(cents)) return undefined;
  return Math.round((cents * (youthShares[age] ?? 100)) / 100);
}

const periodsPerYear = ({ kind }: Period) => (kind === 'month' ? 12 : 13);

/** A wage tax that looks like the real one. It is not: papers are judged by their sums, not by the tables of the tax office. */
function taxOn(yearlyCents: number, credit: boolean): number {
  const [first, second] = [3_888_300, 7_842_600];
  const inFirst = Math.min(yearlyCents, first) * 0.3575;
  const inSecond = Math.max(0, Math.min(yearlyCents, second) - first) * 0.3756;
  const above = Math.max(0, yearlyCents - second) * 0.495;
  const general = Math.max(0, 311_500 - Math.max(0, yearlyCents - 2_973_600) * 0.0639);
  const working = Math.max(
    0,
    Math.min(568_500, yearlyCents * 0.13) - Math.max(0, yearlyCents - 4_559_200) * 0.0651,
  );
  return Math.max(0, inFirst + inSecond + above - (credit ? general + working : 0));
}

/** The hundredths of hours of a full period. */
export const fullHours = ({ hoursPerWeek }: Employment, { kind }: Period): number =>
  Math.round(kind === 'month' ? (hoursPerWeek * 5200) / 12 : hoursPerWeek * 400);

const daysIn = (start: string, end: string) => Math.round((Date.parse(end) - Date.parse(start)) / dayMs) + 1;

/** The share of a period in which the employment lasted. */
function shareOf({ since, until }: Employment, { start, end }: Period): number {
  const from = since > start ? since : start;
  const to = until !== undefined && until < end ? until : end;
  return daysIn(from, to) / daysIn(start, end);
}

type Draft = Omit<Line, 'yearCents'>;

function grossLines(employment: Employment, period: Period, events: Events): Draft[] {
  const { salaryCents, hourlyCents } = employment;
  const share = shareOf(employment, period);
  const lines: Draft[] = [];
  const add = (line: Omit<Draft, 'part'>) => lines.push({ ...line, part: 'gross' });
  if (salaryCents === undefined) {
    const hours = events.hours ?? Math.round(fullHours(employment, period) * share);
    const cents = Math.round((hours * hourlyCents) / 100);
    add({
      key: 'salary',
      code: 100,
      nl: 'Gewerkte uren',
      en: 'Hours worked',
      hours,
      rateCents: hourlyCents,
      cents,
    });
  } else {
    const hours = Math.round(fullHours(employment, period) * share);
    const cents = Math.round(salaryCents * share);
    add({ key: 'salary', code: 100, nl: 'Salaris', en: 'Basic salary', hours, cents });
  }
  if (events.overtimeHours) {
    const [hours, rateCents] = [events.overtimeHours, Math.round(hourlyCents * 1.5)];
    const cents = Math.round((hours * rateCents) / 100);
    add({ key: 'overtime', code: 140, nl: 'Overwerk 150%', en: 'Overtime 150%', hours, rateCents, cents });
  }
  if (events.sickHours) {
    const [hours, rateCents] = [events.sickHours, Math.round(hourlyCents * 0.3)];
    const cents = -Math.round((hours * rateCents) / 100);
    add({
      key: 'sick',
      code: 180,
      nl: 'Inhouding ziekte 30%',
      en: 'Sick leave 30%',
      hours,
      rateCents,
      cents,
    });
  }
  if (events.correctionCents)
    add({
      key: 'correction',
      code: 190,
      nl: 'Correctie vorige periode',
      en: 'Correction',
      cents: events.correctionCents,
    });
  if (events.bonusCents)
    add({ key: 'bonus', code: 210, nl: 'Eenmalige uitkering', en: 'Bonus', cents: events.bonusCents });
  return lines;
}

const sum = (lines: readonly { cents: number }[]): number =>
  lines.reduce((total, { cents }) => total + cents, 0);

/** Sums that go on from one period of a year to the next. */
type Year = { lines: Map<string, number>; totals: Map<Total, number>; reserve: number };

function holidayPay(
  employment: Employment,
  { year, number }: Period,
  base: number,
  so: Year,
): Draft | undefined {
  const line = {
    key: 'holiday',
    code: 300,
    nl: 'Vakantiegeld',
    en: 'Holiday allowance',
    part: 'gross',
    percent: 800,
  } as const;
  const leaves = employment.until?.startsWith(String(year)) === true;
  if (employment.holidayPay === 'each period') return { ...line, cents: Math.round(base * 0.08) };
  const paysNow = number === 5 || leaves;
  return paysNow && so.reserve > 0
    ? { ...line, cents: so.reserve + (leaves ? Math.round(base * 0.08) : 0) }
    : undefined;
}

type Names = [key: string, code: number, nl: string, en: string, percent?: number];

/** The names of the lines after the gross ones. */
const names = {
  thirteenth: ['thirteenth', 310, '13e maand', '13th month'],
  pension: ['pension', 400, 'Pensioenpremie', 'Pension contribution'],
  wga: ['wga', 420, 'Premie WGA', 'WGA premium'],
  car: ['car', 500, 'Bijtelling auto', 'Company car addition'],
  ruling: ['ruling', 510, '30%-regeling', '30% ruling'],
  tax: ['tax', 600, 'Loonheffing', 'Wage tax'],
  specialTax: ['specialTax', 610, 'Loonheffing bijzonder tarief', 'Wage tax special rate', 4256],
  zvw: ['zvw', 620, 'Bijdrage Zvw', 'Zvw contribution', 485],
  travel: ['travel', 700, 'Reiskosten onbelast', 'Travel allowance'],
  home: ['home', 710, 'Thuiswerkvergoeding', 'Home office allowance'],
  ownCar: ['ownCar', 720, 'Eigen bijdrage auto', 'Car contribution'],
  association: ['association', 730, 'Personeelsvereniging', 'Staff association'],
} as const satisfies Record<string, Names>;

function lineOf(name: keyof typeof names, part: Part, cents: number, rate?: number): Draft[] {
  if (cents === 0) return [];
  const [key, code, nl, en, percent = rate]: Names = names[name];
  return [{ key, code, nl, en, part, cents, ...(percent !== undefined && { percent }) }];
}

const shareOfTen = (cents: number, rate: number) => Math.round((cents * rate) / 10_000);

/** What is taken from the gross wage, and what is taxed of it. The special rate is for holiday pay and the 13th month. */
function withholdings(employment: Employment, perYear: number, base: number, gross: number, special: number) {
  const { pensionRate, franchiseCents, wgaRate, taxCredit, zvw, car } = employment;
  const pension = Math.max(0, shareOfTen(base - franchiseCents / perYear, pensionRate));
  const wga = shareOfTen(gross, wgaRate);
  const untaxed = employment.ruling30 ? Math.round(gross * 0.3) : 0;
  const taxable = gross - pension - wga + (car?.additionCents ?? 0) - untaxed;
  const specialTaxed = employment.ruling30 ? Math.round(special * 0.7) : special;
  const tax = Math.round(taxOn((taxable - specialTaxed) * perYear, taxCredit) / perYear);
  const specialTax = shareOfTen(specialTaxed, 4256);
  const zvwBase = Math.min(taxable, Math.round(7_942_200 / perYear));
  const own = zvw === 'by the employee';
  const lines = [
    ...lineOf('pension', 'withheld', -pension, pensionRate),
    ...lineOf('wga', 'withheld', -wga, wgaRate),
    ...lineOf('car', 'taxable', car?.additionCents ?? 0),
    ...lineOf('ruling', 'taxable', -untaxed),
    ...lineOf('tax', 'withheld', -tax),
    ...lineOf('specialTax', 'withheld', -specialTax),
    ...lineOf('zvw', 'withheld', own ? -shareOfTen(zvwBase, 485) : 0),
  ];
  return { lines, taxable, tax: tax + specialTax, pension, zvwEmployer: own ? 0 : shareOfTen(zvwBase, 610) };
}

/** Adds a period to the sums of its year. */
function counted(
  so: Year,
  drafts: readonly Draft[],
  now: Record<Total, number>,
): Pick<Slip, 'lines' | 'totals'> {
  const lines = drafts.map((draft): Line => {
    const yearCents = (so.lines.get(draft.key) ?? 0) + draft.cents;
    so.lines.set(draft.key, yearCents);
    return { ...draft, yearCents };
  });
  const totals = Object.fromEntries(
    Object.entries(now).map(([name, cents]) => {
      const yearCents = (so.totals.get(name as Total) ?? 0) + cents;
      so.totals.set(name as Total, yearCents);
      return [name, { cents, yearCents }];
    }),
  ) as Slip['totals'];
  return { lines, totals };
}

/** Calculates one period, and adds it to the year. */
function slipOf(employment: Employment, period: Period, events: Events, so: Year): Slip {
  const { employee, car, holidayPay: paysHoliday } = employment;
  const grossParts = grossLines(employment, period, events);
  const regular = sum(grossParts);
  const base = sum(grossParts.filter(({ key }) => key !== 'bonus'));
  const holiday = holidayPay(employment, period, base, so);
  if (holiday) grossParts.push(holiday);
  const isThirteenth = employment.thirteenthMonth === period.number;
  grossParts.push(...lineOf('thirteenth', 'gross', isThirteenth ? (employment.salaryCents ?? 0) : 0));
  const gross = sum(grossParts);
  const {
    lines: taken,
    taxable,
    tax,
    pension,
    zvwEmployer,
  } = withholdings(employment, periodsPerYear(period), base, gross, gross - regular);
  const drafts = [
    ...grossParts,
    ...taken,
    ...lineOf('travel', 'net', employment.travelCents),
    ...lineOf('home', 'net', (events.homeDays ?? 0) * 245),
    ...lineOf('ownCar', 'net', -(car?.contributionCents ?? 0)),
    ...lineOf('association', 'net', -employment.associationCents),
  ];
  const net = sum(drafts.filter(({ part }) => part !== 'taxable'));
  const before = so.reserve;
  const each = paysHoliday === 'each period';
  const [added, paid] = each ? [0, 0] : [Math.round(base * 0.08), holiday?.cents ?? 0];
  so.reserve = before + added - paid;
  const age = ageOn(employee.birth, period.end);
  return {
    ...{ employment, period, age },
    ...counted(so, drafts, {
      ...{ gross, taxable, tax, net, socialWage: gross - pension, zvwEmployer },
      employerTotal: gross + zvwEmployer,
    }),
    paidOn: period.kind === 'month' ? `${period.end.slice(0, 8)}24` : period.end,
    workedHours: drafts.find(({ key }) => key === 'salary')?.hours ?? 0,
    reserve: each ? undefined : { before, added, paid, after: so.reserve },
    minimumHourlyCents: minimumHourly(period.start, age),
  };
}

/** Calculates the periods of a year in their order. The reserve of holiday pay begins with what June to December of the year before gave. */
export function yearOf(
  employment: Employment,
  periods: readonly Period[],
  events: Readonly<Record<number, Events>> = {},
): Slip[] {
  const year = periods[0]?.year ?? 0;
  const began = Number(employment.since.slice(0, 4));
  const monthsBefore =
    began < year - 1
      ? 7
      : began === year - 1
        ? Math.max(0, Math.min(7, 13 - Number(employment.since.slice(5, 7))))
        : 0;
  const salary = employment.salaryCents ?? 0;
  const reserve = employment.holidayPay === 'each period' ? 0 : monthsBefore * Math.round(salary * 0.08);
  const so: Year = { lines: new Map(), totals: new Map(), reserve };
  const lasts = periods.filter(
    ({ start, end }) => end >= employment.since && (employment.until ?? start) >= start,
  );
  return lasts.map((period) => slipOf(employment, period, events[period.number] ?? {}, so));
}
