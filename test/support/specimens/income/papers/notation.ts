import { dayMs } from '#contract/time.ts';

/** How a payroll program writes figures, dates and periods. */
export type Notation = {
  amount: 'dutch' | 'dutch without dots' | 'euro sign' | 'english';
  negative: 'before' | 'behind' | 'slashed' | 'bracketed';
  period: 'dates' | 'number' | 'name' | 'iso' | 'english';
  date: 'dashes' | 'slashes' | 'words' | 'iso';
  bsn: 'plain' | 'dots' | 'spaces' | 'absent';
  iban: 'plain' | 'spaces';
};

export const usual: Notation = {
  ...{ amount: 'dutch', negative: 'behind', period: 'dates', date: 'dashes', bsn: 'plain', iban: 'spaces' },
};

const grouped = (digits: string, mark: string) => digits.replace(/\B(?=(\d{3})+$)/g, mark);

/** Writes cents as this notation does. */
export function amountOf(cents: number, { amount, negative }: Notation): string {
  const whole = String(Math.floor(Math.abs(cents) / 100));
  const rest = String(Math.abs(cents) % 100).padStart(2, '0');
  const forms = {
    dutch: `${grouped(whole, '.')},${rest}`,
    'dutch without dots': `${whole},${rest}`,
    'euro sign': `€ ${grouped(whole, '.')},${rest}`,
    english: `${grouped(whole, ',')}.${rest}`,
  };
  const text = forms[amount];
  if (cents >= 0) return text;
  return { before: `-${text}`, behind: `${text}-`, slashed: `-/- ${text}`, bracketed: `(${text})` }[negative];
}

/** Hours or a percentage, given in hundredths. */
export const numberText = (hundredths: number, { amount }: Notation): string =>
  `${Math.floor(hundredths / 100)}${amount === 'english' ? '.' : ','}${String(hundredths % 100).padStart(2, '0')}`;

const monthsNl = [
  ...['januari', 'februari', 'maart', 'april', 'mei', 'juni'],
  ...['juli', 'augustus', 'september', 'oktober', 'november', 'december'],
];
const monthsEn = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** Writes a day, given as YYYY-MM-DD. */
export function dateOf(day: string, { date }: Pick<Notation, 'date'>): string {
  const [year = '', month = '', dayOfMonth = ''] = day.split('-');
  const forms = {
    dashes: `${dayOfMonth}-${month}-${year}`,
    slashes: `${dayOfMonth}/${month}/${year}`,
    words: `${Number(dayOfMonth)} ${monthsNl[Number(month) - 1]} ${year}`,
    iso: day,
  };
  return forms[date];
}

/** A period of pay. Both days belong to it. */
export type Period = { kind: 'month' | '4 weeks'; year: number; number: number; start: string; end: string };

const iso = (date: Date) => date.toISOString().slice(0, 10);
export const dayAfter = (day: string, days: number): string =>
  iso(new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs));

export const month = (year: number, number: number): Period => ({
  ...{ kind: 'month', year, number },
  start: iso(new Date(Date.UTC(year, number - 1, 1))),
  end: iso(new Date(Date.UTC(year, number, 0))),
});

/** Periods of four weeks begin on the Monday of ISO week 1. */
export function fourWeeks(year: number, number: number): Period {
  const fourth = Date.UTC(year, 0, 4);
  const weekday = (new Date(fourth).getUTCDay() + 6) % 7;
  const start = dayAfter(iso(new Date(fourth)), (number - 1) * 28 - weekday);
  return { kind: '4 weeks', year, number, start, end: dayAfter(start, 27) };
}

export function periodText(period: Period, notation: Notation): string {
  const { kind, year, number, start, end } = period;
  const two = String(number).padStart(2, '0');
  const forms = {
    dates: `${dateOf(start, notation)} t/m ${dateOf(end, notation)}`,
    number: `Periode ${two}-${year}`,
    name: `${monthsNl[number - 1]} ${year}`,
    iso: `${year}-${two}`,
    english: `${monthsEn[number - 1]} ${year}`,
  };
  return kind === '4 weeks' && notation.period !== 'dates'
    ? `${forms.number} (${forms.dates})`
    : forms[notation.period];
}

export function bsnText(bsn: string, { bsn: form }: Notation): string {
  if (form === 'absent') return '';
  if (form === 'plain') return bsn;
  const mark = form === 'dots' ? '.' : ' ';
  return `${bsn.slice(0, 4)}${mark}${bsn.slice(4, 6)}${mark}${bsn.slice(6)}`;
}

export const ibanText = (iban: string, { iban: form }: Notation): string =>
  form === 'plain' ? iban : (iban.match(/.{1,4}/g) ?? []).join(' ');

/** Whole years of age on a day. */
export const ageOn = (birth: string, day: string): number =>
  Number(day.slice(0, 4)) - Number(birth.slice(0, 4)) - (day.slice(5) < birth.slice(5) ? 1 : 0);
