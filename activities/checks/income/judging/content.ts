import type { IncomeDocumentType } from '#contract/enums.ts';
import type { MissingField } from '#contract/income/signs.ts';
import { at, doubt, type Finding, notApplicable, passed, type ReadPaper, sign, together } from './finding.ts';
import type { Settled } from './sums.ts';
import { sameEmployer } from './values/names.ts';
import { chamberNumbersIn, isWageTaxNumber, wrongNumbers } from './values/numbers.ts';
import type { Reading } from './values/reading.ts';

/** Whether a paper has what its type must have. A value that was not found may still be printed, so this never fails. */
export function contentComplete(
  reading: Reading,
  settled: Settled,
  wanted: readonly IncomeDocumentType[] | null,
): Finding {
  const { type, sheet } = reading;
  if (sheet.cells.length === 0) return doubt(sign('no_text'));
  if (type === null) return doubt(sign('type_unknown'));
  const missing = missingIn(reading, settled).map((name) => sign('missing', { expected: name }));
  return together([
    missing.length === 0 ? passed : doubt(...missing),
    wanted === null || wanted.includes(type)
      ? notApplicable
      : doubt(sign('type_not_wanted', { found: type })),
    ...numbersOf(reading),
  ]);
}

/** The fields of article 7:626 of the civil code for a payslip, and those by which the others are judged. */
function missingIn(reading: Reading, { gross, net }: Settled): MissingField[] {
  const { type, period, employer, minimum, hoursPerWeek, issuedOn, sheet } = reading;
  const fields: Partial<Record<MissingField, boolean>> =
    type === 'payslip'
      ? {
          ...{
            employer: employer !== null,
            period: period !== null,
            gross: gross !== undefined,
            net: net !== undefined,
          },
          ...{ minimum_wage: minimum !== null, hours: hoursPerWeek !== null },
        }
      : {
          employer: employer !== null,
          date: issuedOn !== null || period !== null || /20\d\d/.test(sheet.text),
        };
  return Object.entries(fields).flatMap(([name, isFound]) => (isFound ? [] : [name as MissingField]));
}

const chamberDigits = 8;

/** Numbers of the employer in a wrong form. */
function numbersOf({ sheet, wageTaxNumbers }: Reading): Finding[] {
  const wrong = [
    ...wageTaxNumbers.filter((number) => !isWageTaxNumber(number)),
    ...wrongNumbers(sheet, 'wageTaxNumber').map(({ number }) => number),
  ];
  const chamber = chamberNumbersIn(sheet.text).filter((number) => number.length !== chamberDigits);
  return [
    ...(wrong.length > 0 ? [doubt(sign('wage_tax_number', { found: wrong[0] ?? null }))] : []),
    ...(chamber.length > 0 ? [doubt(sign('chamber_number', { found: chamber[0] ?? null }))] : []),
  ];
}

/** Papers of other kinds must name the employer of the slips. A statement can name more than one. */
export function otherEmployer(paper: ReadPaper, slips: readonly ReadPaper[]): Finding {
  const named = slips.filter((slip) => slip.id !== paper.id && slip.reading.employer !== null);
  if (named.length === 0) return notApplicable;
  const isNamed = named.some((slip) => namesEmployer(paper.reading, slip.reading));
  if (isNamed) return passed;
  const cell = paper.reading.employer?.cell;
  const found = paper.reading.employer?.value ?? null;
  return doubt(
    sign('other_employer', {
      ...(cell && at(cell)),
      found,
      expected: named[0]?.reading.employer?.value ?? null,
    }),
  );
}

function namesEmployer(reading: Reading, slip: Reading): boolean {
  const name = slip.employer?.value ?? '';
  const byNumber = slip.wageTaxNumbers.some((number) => reading.wageTaxNumbers.includes(number));
  return (
    byNumber ||
    reading.sheet.cells.some(({ text }) => sameEmployer(text.replace(/^[^:]{0,30}:\s*/, ''), name))
  );
}
