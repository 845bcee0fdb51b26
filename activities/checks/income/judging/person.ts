import { at, doubt, type Finding, notApplicable, passed, type ReadPaper, sign, together } from './finding.ts';
import { nameIn, samePerson } from './values/names.ts';
import { hasForeignIban, isIban, wrongNumbers } from './values/numbers.ts';

/** Account numbers for which the test of their digits does not hold. */
export function bankAccount({ reading }: ReadPaper): Finding {
  const wrong = reading.ibans.find((iban) => !isIban(iban));
  if (wrong !== undefined) {
    const cell = reading.sheet.cells.find(({ text }) =>
      text.replaceAll(/\s/g, '').toUpperCase().includes(wrong),
    );
    return doubt(sign('account_number', { ...(cell && at(cell)), found: wrong }));
  }
  const [other] = wrongNumbers(reading.sheet, 'account');
  if (other !== undefined) return doubt(sign('account_number', { ...at(other.cell), found: other.number }));
  return reading.ibans.length > 0 || hasForeignIban(reading.sheet.text) ? passed : notApplicable;
}

/** The name of a linked verification. A paper can name somebody in many ways, so this never fails. */
export function nameMatch(
  { reading }: ReadPaper,
  linkedName: string | null,
  others: readonly ReadPaper[],
): Finding {
  const lines = reading.sheet.rows.map((row) => row.map(({ text }) => text).join(' '));
  const match = linkedName === null ? undefined : nameIn(linkedName, lines);
  const linked =
    match === undefined
      ? notApplicable
      : match === 'match'
        ? passed
        : doubt(sign(`name_${match}`, { found: reading.employee?.value ?? null }));
  return together([
    linked,
    ...others.map((other) => sameName(reading.employee?.value, other.reading, reading)),
  ]);
}

function sameName(name: string | undefined, other: ReadPaper['reading'], own: ReadPaper['reading']): Finding {
  const theirs = other.employee?.value;
  if (name === undefined || theirs === undefined || samePerson(name, theirs)) return notApplicable;
  return doubt(
    sign('another_person', { ...(own.employee && at(own.employee.cell)), found: name, expected: theirs }),
  );
}

/** A number is only pointed out. Two papers with two numbers are of two persons, or one of them was changed. */
export function citizenServiceNumber({ reading }: ReadPaper, others: readonly ReadPaper[]): Finding {
  const [wrong] = wrongNumbers(reading.sheet, 'citizenNumber');
  if (wrong !== undefined) return doubt(sign('citizen_number_wrong', at(wrong.cell)));
  const own = reading.citizenNumbers;
  if (own.length === 0) return notApplicable;
  const differs = others.some(
    ({ reading: { citizenNumbers } }) =>
      citizenNumbers.length > 0 && !citizenNumbers.some((number) => own.includes(number)),
  );
  return differs
    ? doubt(sign('citizen_numbers_differ'))
    : { ...passed, signals: [sign('citizen_number_found')] };
}
