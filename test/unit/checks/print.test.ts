import { describe, expect, test } from 'vitest';
import { printedOf } from '#activities/checks/document/print.ts';

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
    expect(printedOf([line]).hasDate('740812')).toBe(true);
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
    'AUG 74',
  ])('not in %s', (line) => {
    expect(printedOf([line]).hasDate('740812')).toBe(false);
  });

  test.each(['', '7408', '741308', '74081<'])('not when it is none: %s', (date) => {
    expect(printedOf(['12.08.1974', '']).hasDate(date)).toBe(false);
  });

  test('not put together of two lines', () => {
    expect(printedOf(['12 AUG', '1974']).hasDate('740812')).toBe(false);
  });
});

describe('a name is found', () => {
  test.each([
    ['VAN DER ZEEBERG', 'van der Zeeberg'],
    ['VAN DER ZEEBERG', 'VAN DERZEEBERG'],
    ['MUELLER', 'Müller'],
    ['MUELLER', '1. MÜLLER'],
    ['GROSS', 'Surname / Nom GROSS'],
    ['NIELSEN', 'NIÉLSEN'],
  ])('%s in %s', (name, line) => {
    expect(printedOf([line]).hasName(name)).toBe(true);
  });

  test.each([
    ['LI', 'NATIONALITY'],
    ['BERG', 'ZEEBERG'],
    ['ZEEBERG', 'ZEE'],
    ['', 'ANY'],
  ])('%s not in %s', (name, line) => {
    expect(printedOf([line]).hasName(name)).toBe(false);
  });
});

describe('a number is found', () => {
  test.each(['L898902C3', 'No. L898902C3', 'L8989 02C3', 'l898902c3', 'L8989O2C3'])('in %s', (line) => {
    expect(printedOf([line]).hasNumber('L898902C3')).toBe(true);
  });

  test.each(['L898902C', 'L898902C33', 'AL898902C3', 'L898902C8'])('not in %s', (line) => {
    expect(printedOf([line]).hasNumber('L898902C3')).toBe(false);
  });
});
