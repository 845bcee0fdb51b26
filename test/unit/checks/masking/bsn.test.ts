import { describe, expect, test } from 'vitest';
import { bsnsIn, isBsn, mayHoldDigits } from '#activities/checks/document/masking/bsn.ts';
import { maySurelyStay } from '#activities/checks/document/masking/staying.ts';
import { fc } from '#test/support/seed.ts';
import { bsnFrom } from '#test/support/specimens/bsn/numbers.ts';

const bsn = '999990019';

describe('the test of eleven', () => {
  test.each(['999990019', '999958288', '111222333', '123456782'])('holds for %s', (digits) => {
    expect(isBsn(digits)).toBe(true);
  });

  test.each(['999990018', '99999001', '9999900190', '000000000', '99999001X', ''])(
    'does not hold for "%s"',
    (digits) => {
      expect(isBsn(digits)).toBe(false);
    },
  );

  test('finds every wrong digit and every exchange of two neighbours', () => {
    for (let place = 0; place < 9; place++)
      for (let digit = 0; digit < 10; digit++) {
        const wrong = bsn.slice(0, place) + digit + bsn.slice(place + 1);
        expect(isBsn(wrong)).toBe(wrong === bsn);
      }
    for (let place = 0; place < 8; place++) {
      const [a = '', b = ''] = [bsn[place], bsn[place + 1]];
      if (a !== b) expect(isBsn(bsn.slice(0, place) + b + a + bsn.slice(place + 2))).toBe(false);
    }
  });
});

describe('a BSN is found', () => {
  test.each([
    '999990019',
    '9999.90.019',
    '999 990 019',
    '9 9 9 9 9 0 0 1 9',
    'BSN: 9999-90-019',
    'NLD999990019<<<<<',
    '1999990019',
    '9999900194',
    '99999OO19',
    '9999900l9',
    'gg999oo19',
    '999990 | 019'.replace(' | ', ' '),
  ])('in %s', (text) => {
    expect(bsnsIn(text)).toContain(bsn);
  });

  test('whichever digits a reader takes for letters, up to four', () => {
    const letters: Record<string, string> = { 0: 'ODQ', 1: 'Il|', 2: 'Z', 5: 'S', 6: 'G', 8: 'B', 9: 'gq' };
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.uniqueArray(fc.nat(8), { maxLength: 4 }),
        (part, places) => {
          let state = part;
          const digits = bsnFrom(() => {
            state = (state * 7.13 + 0.37) % 1;
            return state;
          });
          const read = Array.from(digits, (digit, place) =>
            places.includes(place) ? (letters[digit]?.[0] ?? digit) : digit,
          );
          expect(bsnsIn(read.join(''))).toContain(digits);
        },
      ),
    );
  });

  test.each(['999990018', 'L898902C3', '12 AUG 1974', 'ERIKSSON', 'BOLSIUS OLGA', '99999 0 A 019x'])(
    'not in %s',
    (text) => {
      expect(bsnsIn(text)).toEqual([]);
    },
  );
});

test.each(['9', 'x 4', 'BOSS', 'SOSBI', 'OIZS'])('%s may hold digits', (text) => {
  expect(mayHoldDigits(text)).toBe(true);
});

test.each(['VAN DER ZEEBERG', 'Naam / Surname', 'PALACIO', 'LID'])('%s holds none', (text) => {
  expect(mayHoldDigits(text)).toBe(false);
});

describe('a line of a Dutch document', () => {
  const facts = { isDutch: true, number: 'NW75K9047', dates: ['650510', '310309'], bsns: [] };
  const stays = (text: string, certainty = 0.97) => maySurelyStay({ text, certainty }, facts);

  test.each([
    'NIEMANDSZOON',
    '10 MEI/MAY 1965',
    '10MEI/MAY1965',
    '10.05.1965',
    '10-05-65',
    '2031-03-09',
    '09 MRT 31',
    'NW75K9047',
    'NW75K9O47',
    'No. NW75K9047 10.05.1965',
    '10051965',
  ])('stays if it is %s', (text) => {
    expect(stays(text)).toBe(true);
  });

  test.each([
    '999990019',
    '9999',
    '90 019',
    '9',
    '9999.90.019',
    '10 MEI 1965 9',
    '32.05.1965',
    '10.13.1965',
    '1005196519',
    '10051964',
    '12.34.5678',
    '1,80 m',
    'NW75K90471',
    '',
    '///',
  ])('is covered if it is "%s"', (text) => {
    expect(stays(text)).toBe(false);
  });

  test('is covered if it was not read with certainty', () => {
    expect(stays('NIEMANDSZOON', 0.79)).toBe(false);
  });

  test('is covered if it is a number that no zone confirms', () => {
    expect(maySurelyStay({ text: 'NW75K9047', certainty: 0.97 }, undefined)).toBe(false);
  });
});
