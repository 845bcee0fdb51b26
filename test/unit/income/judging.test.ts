import { describe, expect, test } from 'vitest';
import { minimumFor } from '#activities/checks/income/judging/law.ts';
import { amountOf } from '#activities/checks/income/judging/values/amounts.ts';
import { daysIn, periodIn } from '#activities/checks/income/judging/values/dates.ts';
import { nameIn } from '#activities/checks/income/judging/values/names.ts';

describe('an amount is read as it is printed', () => {
  test.each([
    ['-/- € 1.234,56', -123_456],
    ['-€ 200,00', -20_000],
    ['€ 200,00-', -20_000],
    ['(1,234.56)', -123_456],
    ['+ 5,00', 500],
    ['12,-', 1_200],
    ['0,45%', undefined],
  ])('%s', (text, cents) => {
    expect(amountOf(text)?.cents).toBe(cents);
  });
});

test('days and periods are read with any spaces', () => {
  expect(daysIn('op 24  mei\n2026 en 2026-05-03')).toEqual(['2026-05-24', '2026-05-03']);
  expect(periodIn('mei  2026', false)).toMatchObject({ start: '2026-05-01', end: '2026-05-31' });
  expect(periodIn('Periode 05-2026', true)?.kind).toBe('four_weeks');
});

describe('the minimum wage by day and age', () => {
  test.each([
    ['2024-01-01', 20, 1_062, 816],
    ['2025-01-01', 19, 844, 738],
    ['2025-07-01', 17, 569, 569],
    ['2026-01-01', 18, 736, 669],
    ['2026-07-01', 40, 1_499, 1_499],
  ])('%s, %i years', (day, age, usual, pupil) => {
    expect(minimumFor(day, age)).toEqual({ usual, pupil });
  });

  test('is not known before and after the table', () => {
    expect([minimumFor('2023-12-31', 30), minimumFor('2027-01-01', 30)]).toEqual([undefined, undefined]);
  });
});

describe('a name on a paper', () => {
  test.each([
    ['Théo Gerrit de Bråtmeijer-van Ophuizen', 'Dhr. T.G. de Bratmeijer', 'match'],
    ['Théo Gerrit de Bråtmeijer-van Ophuizen', 'VAN OPHUIZEN, Th.G.', 'match'],
    ['Jean-Pierre Bjørnstad', 'J.P. Bjornstad', 'match'],
    ['Willemijn Aleida van der Zeeberg', 'Zeeberg,W.A. van der', 'match'],
    ['Willemijn Aleida van der Zeeberg', 'Mw. A. van der Zeeberg', 'partial'],
    ['Jean-Pierre Bjørnstad', 'P. Jansen', 'mismatch'],
  ])('%s as %s', (name, line, match) => {
    expect(nameIn(name, [line])).toBe(match);
  });
});
