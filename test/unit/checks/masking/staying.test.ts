import { describe, expect, test } from 'vitest';
import { mayStayForReview, saysKnown } from '#activities/checks/document/masking/staying.ts';
import { fc } from '#test/support/seed.ts';
import { bsnFrom } from '#test/support/specimens/bsn/numbers.ts';

const known = { number: 'NW4K67872', dates: ['650510', '310309'], names: ['BOS', 'WILLEM', 'ALOIS'] };
const nothing = { number: '', dates: [], names: [] };
const stays = (text: string, { certainty = 0.95, of = known, isOnPhotograph = false } = {}) =>
  mayStayForReview({ text, certainty }, of, isOnPhotograph);

describe('a member who decides sees', () => {
  test.each([
    ['a name', 'DE PROEFPERSOON'],
    ['a name of look-alikes that the zone has', 'BOS'],
    ['the number of the document', 'NW4K67872'],
    ['the number with a space', 'NW4K 67872'],
    ['a date in words', '10 MEI/MAY 1965'],
    ['a date in figures', '10.05.1965'],
    ['a date of the zone whose signs were lost', '09032031'],
    ['the year that light left of a date', '1965'],
    ['the day that light left of a date', '10'],
    ['a label', 'Geboortedatum / Date of birth'],
    ['a height', '1,84 m'],
    ['a postal code', '1234 AB Utrecht'],
  ])('%s', (_, text) => {
    expect(stays(text)).toBe(true);
  });

  test('letters that were hardly read, since a name may be blurred', () => {
    expect(stays('DE PROEFPERS00N', { certainty: 0.5 })).toBe(true);
  });

  test('also a date and a name if nothing is known of the zone', () => {
    expect(stays('10 MEI/MAY 1965', { of: nothing })).toBe(true);
    expect(stays('NIEMANDSZOON', { of: nothing })).toBe(true);
  });

  test('the number of a Dutch document where light lies on the zone, and no number that only looks like one', () => {
    for (const number of ['NW7167757', 'IM0123457', 'SR1234567'])
      expect([number, stays(number, { of: nothing })]).toEqual([number, true]);
    for (const number of [
      'SI9982485',
      'AE9982485',
      'SP9982485',
      '999982485',
      'NW999982485',
      'NW 999982485',
      'NW71677',
    ])
      expect([number, stays(number, { of: nothing })]).toEqual([number, false]);
  });
});

describe('a member who decides does not see', () => {
  test.each([
    ['eight digits of a number', '99995828'],
    ['five digits of a piece', '99995'],
    ['a piece of two digits', '82'],
    ['digits that were read as letters', 'SOSBI'],
    ['a number in a line with its label', 'BSN 9999.58.288'],
    ['a number beside a date', '10 MEI/MAY 1965 999958288'],
  ])('%s', (_, text) => {
    expect(stays(text)).toBe(false);
  });

  test.each(['', 'x7', '9?9 8', '1O MEI 9999'])('"%s", which could hardly be read', (text) => {
    expect(stays(text, { certainty: 0.4 })).toBe(false);
  });

  test('any BSN, however it is grouped and whatever stands around it', () => {
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        fc.constantFrom('', ' ', '.', '-'),
        fc.constantFrom('', 'No ', 'BSN: '),
        (random, sign, before) => {
          const bsn = bsnFrom(() => random.next().value);
          const text = `${before}${bsn.slice(0, 4)}${sign}${bsn.slice(4, 6)}${sign}${bsn.slice(6)}`;
          expect(stays(text)).toBe(false);
          expect(stays(text, { isOnPhotograph: true })).toBe(false);
        },
      ),
    );
  });
});

test('a piece of a number that was read with certainty is covered also where a photograph seems to be', () => {
  expect(stays('9689', { isOnPhotograph: true })).toBe(false);
  expect(stays('9689', { isOnPhotograph: true, certainty: 0.5 })).toBe(true);
});

test('hair that was read as writing covers no photograph', () => {
  expect(stays('', { certainty: 0.1, isOnPhotograph: true })).toBe(true);
  expect(stays('11l', { isOnPhotograph: true })).toBe(true);
});

test('a value is known by the zone, and not by its looks', () => {
  expect(['NW4K67872', '10 MEI/MAY 1965', 'WILLEM ALOIS'].map((text) => saysKnown(text, known))).toEqual([
    true,
    true,
    true,
  ]);
  expect(saysKnown('NIEMANDSZOON', known)).toBe(false);
});
