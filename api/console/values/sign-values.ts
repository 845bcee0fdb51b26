import { type IncomeDocumentType, incomeDocumentTypes, type Language } from '#contract/enums.ts';
import type { Signal } from '#contract/income/papers.ts';
import { type MissingField, missingFields, type SignName } from '#contract/income/signs.ts';
import type { ValueNames } from '../texts/income.ts';
import { texts } from '../texts/texts.ts';
import { dayIn, eurosIn } from './money.ts';

/** Those that are not here name their values `seen`. */
const namesOf: Partial<Record<SignName, ValueNames>> = {
  ...{ net_sum: 'sum', gross_sum: 'sum', hours_times_rate: 'sum', line_left_out: 'sum', year_so_far: 'sum' },
  ...{ below_minimum: 'law', printed_minimum: 'law', holiday_pay: 'law' },
  ...{ replaced: 'hidden', covered: 'hidden', invisible: 'hidden', unseen: 'hidden', laid_over: 'hidden' },
  ...{ filled_field: 'hidden', print_over_print: 'both', changed_later: 'before', modified_later: 'made' },
  ...{ dates_differ: 'file', editor: 'file', periods_differ: 'also', paid_far_from_period: 'day' },
  ...{ other_employer: 'other', another_person: 'other', insured_wage: 'other', yearly_wage: 'other' },
  ...{ signature_untrusted: 'signer', signature_broken: 'signer', signature_unknown: 'signer' },
  ...{ missing: 'missing', month_missing: 'missing' },
};

/** The judge writes these amounts and days itself. All other values quote the document, so they stay as they are. */
const withAmounts: readonly SignName[] = [
  ...(['net_sum', 'gross_sum', 'hours_times_rate', 'line_left_out', 'year_so_far', 'insured_wage'] as const),
  ...(['yearly_wage', 'below_minimum', 'printed_minimum', 'holiday_pay'] as const),
];
const withDays: readonly SignName[] = [
  ...(['modified_later', 'dates_differ', 'periods_differ', 'paid_far_from_period'] as const),
  ...(['period_reversed', 'too_old', 'in_the_future'] as const),
];

/** A reader sees the beginning of a longer value. */
const lengthMax = 200;

export type NamedValue = { name: string; value: string };

/** The values of a sign that help a reader, with their names. */
export function namedValues(language: Language, { sign, found, expected }: Signal): NamedValue[] {
  const [nameOfFound, nameOfExpected] = texts[language].income.values[namesOf[sign] ?? 'seen'];
  const named = [
    { name: nameOfFound, value: found },
    { name: nameOfExpected, value: expected },
  ];
  return named.flatMap(({ name, value }) =>
    value === null ? [] : [{ name, value: shortened(written(language, sign, value)) }],
  );
}

const shortened = (value: string): string =>
  value.length > lengthMax ? `${value.slice(0, lengthMax)}…` : value;

function written(language: Language, sign: SignName, value: string): string {
  const { types, missing } = texts[language].income;
  if (withAmounts.includes(sign)) return amountIn(language, value);
  if (withDays.includes(sign)) return value.split(' / ').map(momentIn(language)).join(' – ');
  if (sign === 'missing' && isOneOf(missingFields, value)) return missing[value as MissingField];
  if (sign === 'type_not_wanted' && isOneOf(incomeDocumentTypes, value))
    return types[value as IncomeDocumentType];
  return value;
}

const isOneOf = (values: readonly string[], value: string): boolean => values.includes(value);

/** The judge writes `-1.234,56`. */
function amountIn(language: Language, value: string): string {
  const digits = /^-?\d{1,3}(?:\.\d{3})*,\d{2}$/.test(value) ? value.replaceAll(/[.,]/g, '') : undefined;
  return digits === undefined ? value : eurosIn(language, Number(digits));
}

/** A day, or the day of a moment. */
const momentIn = (language: Language) => (value: string) =>
  /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(value) ? dayIn(language, value.slice(0, 10)) : value;
