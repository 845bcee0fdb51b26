import { describe, expect, test } from 'vitest';
import { labelOf } from '#activities/checks/document/labels.ts';
import { type NameKind, printedOf } from '#activities/checks/document/print.ts';
import { isSpelt } from '#activities/checks/document/spelling.ts';
import { stacked } from '#test/support/specimens/print-lines.ts';

const printed = (...lines: string[]) => printedOf(stacked(lines));
const inTheSeventies = (year: number | undefined) => year === undefined || (year > 1969 && year < 1980);
const hasDate = (lines: string[], sixDigits: string) => printed(...lines).hasDate(sixDigits, inTheSeventies);
const hasName = (name: string, lines: string[], kind: NameKind = 'surname') =>
  printed(...lines).hasName(kind, name);

describe('a date is found', () => {
  test.each([
    '12 AUG/AUG 1974',
    '12AUG1974',
    '12 aug 74',
    '12.08.1974',
    '12 08 1974',
    '12/08/74',
    '1974-08-12',
    'Date of birth 12 AOÛT/AUG 74',
    '12 AGO 1974',
  ])('in %s', (line) => {
    expect(hasDate([line], '740812')).toBe(true);
  });

  test.each([
    '12 SEP/SEP 1974',
    '12 AUG 1975',
    '112.08.1974',
    '12.08.19745',
    '12 AUG',
    '08.12.1974',
    '1974',
    '12 1974',
    '12 AUG 1874',
    '12.08.2074',
    '2074-08-12',
    'AUG 74',
  ])('not in %s', (line) => {
    expect(hasDate([line], '740812')).toBe(false);
  });

  test.each(['', '7408', '741308', '74081<'])('not when it is none: %s', (date) => {
    expect(hasDate(['12.08.1974', ''], date)).toBe(false);
  });

  test('not put together of two lines', () => {
    expect(hasDate(['12 AUG', '1974'], '740812')).toBe(false);
  });
});

test('the letter O of a month may be read as 0', () => {
  expect(hasDate(['12 N0V 1974'], '741112')).toBe(true);
  expect(hasDate(['12 0KT/0CT 1974'], '741012')).toBe(true);
});

describe('a name is found below or beside its label', () => {
  test.each([
    ['VAN DER ZEEBERG', ['Surname / Nom', 'van der Zeeberg']],
    ['VAN DER ZEEBERG', ['1. Naam / Surname', 'VAN DERZEEBERG']],
    ['MUELLER', ['Name', 'Müller']],
    ['MUELLER', ['Apellidos', '1. MÜLLER']],
    ['GROSS', ['Surname / Nom GROSS']],
    ['NIELSEN', ['Cognome', 'NIÉLSEN']],
    ['JANSEN', ['Naam', 'Jansen', 'Geboorteplaats', 'Jansen']],
  ])('%s in %j', (name, lines) => {
    expect(hasName(name, lines)).toBe(true);
  });

  test.each([
    ['JANSSEN', ['Surname', 'JANSEN']],
    ['JANSEN', ['Surname', 'JANSSEN']],
    ['BOER', ['Surname', 'BOR']],
    ['VISSER', ['Surname', 'VISSER-SMIT']],
    ['BERG', ['Surname', 'ZEEBERG']],
    ['JANSSEN', ['Surname', 'JANSEN', 'Place of birth', 'JANSSEN']],
    ['JANSSEN', ['Surname', 'JANSEN', 'Given names', 'JANSSEN']],
    ['JANSSEN', ['JANSSEN']],
    ['JANSSEN', ['Surname', '', '', 'JANSSEN']],
    ['JANSSEN', ['Surname', 'JANSSEN', 'Surname', 'JANSEN']],
    ['', ['Surname', 'ANY']],
  ])('%s not in %j', (name, lines) => {
    expect(hasName(name, lines)).toBe(false);
  });

  test('in the right column, and not in the other one', () => {
    const columns = [...stacked(['Surname', 'JANSSEN']), ...stacked(['Given names', 'ELS'], 60)];
    expect(printedOf(columns).hasName('surname', 'JANSSEN')).toBe(true);
    expect(printedOf(columns).hasName('given', 'ELS')).toBe(true);
    expect(printedOf(columns).hasName('given', 'JANSSEN')).toBe(false);
  });

  test('a label on one side says nothing about a name on the other', () => {
    const [label, value] = stacked(['Surname', 'JANSSEN']);
    const sides = [label, value && { ...value, side: 1 }].filter((line) => line !== undefined);
    expect(printedOf(sides).hasName('surname', 'JANSSEN')).toBe(false);
  });

  test('and may be longer than the zone only if the zone had no room', () => {
    const lines = stacked(['Given names', 'WILHELMINA CORNELIA']);
    expect(printedOf(lines).hasName('given', 'WILHELMINA CORN', true)).toBe(true);
    expect(printedOf(lines).hasName('given', 'WILHELMINA CORN', false)).toBe(false);
  });
});

describe('the zone spells a letter that it does not have', () => {
  test.each([
    ['MÜLLER', 'MUELLER'],
    ['MÜLLER', 'MULLER'],
    ['MÜLLER', 'MUXXLLER'],
    ['JØRGENSEN', 'JOERGENSEN'],
    ['ÅKERSTRÖM', 'AAKERSTROEM'],
    ['ŁUKASZ', 'LUKASZ'],
    ['ÞÓR', 'THOR'],
    ['PIÑEIRO', 'PINEIRO'],
    ['WEIß', 'WEISS'],
    ['CŒUR', 'COEUR'],
  ])('%s as %s', (print, zone) => {
    expect(isSpelt(print.toUpperCase(), zone)).toBe(true);
  });

  test.each([
    ['MULLER', 'MUELLER'],
    ['BOR', 'BOER'],
    ['JANSEN', 'JANSSEN'],
    ['ÉRIK', 'EERIK'],
    ['', 'A'],
  ])('%s never as %s', (print, zone) => {
    expect(isSpelt(print, zone)).toBe(false);
  });
});

describe('a label is told from a name', () => {
  test.each(['JANSSEN', 'NOMURA', 'NAMEK', 'LASTIG', 'FIRMANSYAH', 'PERSSON', 'NASON'])(
    '%s is a name',
    (word) => {
      expect(labelOf([word])).toBeUndefined();
    },
  );

  test.each([
    ['PLACE OF BIRTH', 'other'],
    ['PRENOMS GIVEN NAMES', 'given'],
    ['SURNAME NOM', 'surname'],
    ['NATIONAITY', 'other'],
    ['NAT1ONALITY', 'other'],
    ['APELL1DOS', 'surname'],
  ])('%s is a label', (words, kind) => {
    expect(labelOf(words.split(' '))).toBe(kind);
  });
});

describe('a number is found', () => {
  test.each(['L898902C3', 'No. L898902C3', 'L8989 02C3', 'l898902c3', 'L8989O2C3'])('in %s', (line) => {
    expect(printed(line).hasNumber('L898902C3')).toBe(true);
  });

  test.each(['L898902C', 'L898902C33', 'AL898902C3', 'L898902C8'])('not in %s', (line) => {
    expect(printed(line).hasNumber('L898902C3')).toBe(false);
  });
});
