import type { IncomeDocumentType, PayFrequency } from '#contract/enums.ts';
import type { ReadablePaper } from '#contract/income/papers.ts';
import { amountOf } from './amounts.ts';
import { addDays, daysBetween, daysIn, type Period, periodIn, withoutDays } from './dates.ts';
import { type Candidates, candidatesOf } from './figures.ts';
import { looksLikeEmployer } from './names.ts';
import { chamberNumbersIn, citizenNumbersIn, ibansIn, wageTaxNumbersIn } from './numbers.ts';
import { type Cell, isLabel, labelled, partsOf, plain, type Sheet, sheetOf, valuesOf } from './sheet.ts';
import { type Entry, entriesOf } from './table.ts';
import { labels, typeOf } from './terms.ts';

/** A value with the cell that says it. */
export type Told<Value> = { value: Value; cell: Cell };

/** What a paper says, as far as it was understood. Null is what was not found. */
export type Reading = {
  type: IncomeDocumentType | null;
  sheet: Sheet;
  entries: Entry[];
  period: Told<Period> | null;
  /** All periods that stand beside a label of one. */
  periods: Told<Period>[];
  issuedOn: Told<string> | null;
  birth: string | null;
  employer: Told<string> | null;
  employee: Told<string> | null;
  gross: Candidates;
  net: Candidates;
  hourly: Told<number> | null;
  minimum: Told<number> | null;
  hoursPerWeek: Told<number> | null;
  ibans: string[];
  wageTaxNumbers: string[];
  chamberNumbers: string[];
  citizenNumbers: string[];
  frequency: PayFrequency | null;
};

const fourWeeksWords = /(?:4|vier|four)[ -]?(?:wek|week)/i;

export function readingOf(paper: ReadablePaper): Reading {
  const sheet = sheetOf(paper);
  const entries = entriesOf(sheet);
  const text = plain(sheet.text);
  const periods = periodsOf(sheet);
  const issuedOn = dayBeside(sheet, labels.issued, labels.otherDay) ?? dayWithPlace(sheet);
  return {
    ...{ type: typeOf(text), sheet, entries, periods, period: periods[0] ?? null, issuedOn },
    birth: dayBeside(sheet, labels.birth)?.value ?? null,
    employer: employerOf(sheet),
    employee: nameBeside(sheet, labels.employee),
    gross: candidatesOf(sheet, entries, 'gross'),
    net: candidatesOf(sheet, entries, 'net'),
    hourly: amountBeside(sheet, labels.hourly),
    minimum: amountBeside(sheet, labels.minimum),
    hoursPerWeek: amountBeside(sheet, labels.hours),
    ...{ ibans: ibansIn(sheet.text), wageTaxNumbers: wageTaxNumbersIn(sheet.text) },
    ...{ chamberNumbers: chamberNumbersIn(sheet.text), citizenNumbers: citizenNumbersIn(sheet.text) },
    frequency: frequencyOf(periods[0]?.value),
  };
}

function frequencyOf(period: Period | undefined): PayFrequency | null {
  if (period === undefined) return null;
  return (
    { month: 'monthly', four_weeks: 'four_weekly', week: 'weekly', year: 'yearly', other: null } as const
  )[period.kind];
}

/** Periods beside their label. Without one, the only months or spans of days that the first rows name. */
function periodsOf(sheet: Sheet): Told<Period>[] {
  const inFourWeeks = fourWeeksWords.test(sheet.text);
  const told = labelled(sheet, labels.period).flatMap((label) => {
    const own = periodIn(label.text, inFourWeeks);
    if (own !== undefined) return [{ value: own, cell: label }];
    const values = valuesOf(sheet, label);
    const row = values.filter((cell) => cell.row === label.row);
    const joined = row.map(({ text }) => text).join(' ');
    for (const [cell, text] of [
      ...(row[0]
        ? [
            [row[0], row[0].text],
            [row[0], joined],
          ]
        : []),
      ...values.map((each) => [each, each.text]),
    ] as [Cell, string][]) {
      const value = periodIn(text, inFourWeeks);
      if (value !== undefined) return [{ value, cell }];
    }
    return [];
  });
  if (told.length > 0) return told;
  const heads = sheet.rows.slice(0, headRowsMax).flat();
  return heads.flatMap((cell) => {
    const value = periodIn(cell.text, inFourWeeks);
    return value === undefined || (daysIn(cell.text).length < 2 && !/\p{L}{3}/u.test(cell.text))
      ? []
      : [{ value, cell }];
  });
}

const headRowsMax = 14;

function dayBeside(sheet: Sheet, rule: RegExp, but = labels.period): Told<string> | null {
  for (const label of sheet.cells.filter(isLabel)) {
    const words = withoutDays(label.text);
    if (!partsOf(words).some((part) => rule.test(part)) || but.test(plain(words))) continue;
    for (const cell of [label, ...valuesOf(sheet, label)]) {
      const [value] = daysIn(cell.text);
      if (value !== undefined) return { value, cell };
    }
  }
  return null;
}

/** A letter ends with a place and a day. */
function dayWithPlace(sheet: Sheet): Told<string> | null {
  const cell = sheet.cells.findLast(
    ({ text }) => /^\p{Lu}[\p{L} '-]{1,40}, ?\S/u.test(text) && daysIn(text).length === 1,
  );
  const [value] = cell === undefined ? [] : daysIn(cell.text);
  return cell === undefined || value === undefined ? null : { value, cell };
}

function amountBeside(sheet: Sheet, rule: RegExp): Told<number> | null {
  for (const label of labelled(sheet, rule)) {
    const cell = valuesOf(sheet, label).find((each) => valueIn(each.text) !== undefined);
    const value = cell && valueIn(cell.text);
    if (cell !== undefined && value !== undefined) return { value, cell };
  }
  return null;
}

/** An amount or hours, with or without a unit behind. */
const valueIn = (text: string) =>
  amountOf(text.trim().replace(/(?:uur|uren|hours|per (?:uur|week|hour)|p\.w\.)$/i, ''))?.cents;

function nameBeside(sheet: Sheet, rule: RegExp): Told<string> | null {
  for (const label of labelled(sheet, rule)) {
    const cell = valuesOf(sheet, label).find(
      (each) => isLabel(each) && !isKnownLabel(each) && !looksLikeEmployer(each.text),
    );
    if (cell !== undefined) return { value: cell.text, cell };
  }
  return null;
}

const isKnownLabel = ({ text }: Cell) =>
  partsOf(text).some((part) => Object.values(labels).some((rule) => rule.test(part)));

/** The name beside its label. Without one, the first text that has a legal form. */
function employerOf(sheet: Sheet): Told<string> | null {
  for (const label of labelled(sheet, labels.employer)) {
    const cell = valuesOf(sheet, label).find((each) => isLabel(each) && !isKnownLabel(each));
    if (cell !== undefined) return { value: cell.text, cell };
  }
  const cell = sheet.cells.find((each) => isLabel(each) && looksLikeEmployer(each.text));
  return cell === undefined ? null : { value: cell.text, cell };
}

/** True if one period follows the other without a gap, in one year. */
export const follows = (before: Period, after: Period): boolean =>
  addDays(before.end, 1) === after.start &&
  before.end.slice(0, 4) === after.end.slice(0, 4) &&
  Math.abs(daysBetween(before.start, before.end) - daysBetween(after.start, after.end)) <= 3;
