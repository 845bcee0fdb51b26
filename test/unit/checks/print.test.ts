import { describe, expect, test } from 'vitest';
import { datesIn } from '#activities/checks/document/judging/dates.ts';
import { labelOf } from '#activities/checks/document/judging/labels.ts';
import { type NameKind, printedOf } from '#activities/checks/document/judging/print.ts';
import type { PrintLine } from '#activities/checks/document/judging/readings.ts';
import { isSpelt } from '#activities/checks/document/judging/spelling.ts';
import { accented, cyrillic, further, latin } from '#activities/checks/document/judging/transliteration.ts';
import { fc } from '#test/support/seed.ts';
import { stacked } from '#test/support/specimens/print-lines.ts';

const printed = (...lines: string[]) => printedOf(stacked(lines));
const inTheSeventies = (year: number | undefined) => year === undefined || (year > 1969 && year < 1980);
const hasDate = (lines: string[], wanted: string) =>
  printed(...lines).dates.some(({ sixDigits, year }) => sixDigits === wanted && inTheSeventies(year));
const hasName = (name: string, lines: string[], kind: NameKind = 'surname') =>
  printed(...lines).nameLines(kind, name).length > 0;

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

describe('a line can have other figures beside a date', () => {
  const datesOf = (line: string) =>
    datesIn(line).map(({ sixDigits, year }) => `${sixDigits} ${year ?? ''}`.trim());

  test.each([
    ['01.10.2017 - 01.10.2027', ['171001 2017', '271001 2027']],
    ['01.10.2017-01.10.2027', ['171001 2017', '271001 2027']],
    ['01.10.201701.10.2027', ['171001 2017', '271001 2027']],
    ['01 10 2017 01 10 2027', ['171001 2017', '271001 2027']],
    ['05 06 2010 11 12 2013', ['100605 2010', '131211 2013']],
    ['05.06.10 - 11.12.13', ['100605', '131211']],
    ['01.10.2017 tot 01.10.2027', ['171001 2017', '271001 2027']],
    ['20171001 / 20271001', ['171001 2017', '271001 2027']],
    ['2017-10-01 2027-10-01', ['171001 2017', '271001 2027']],
    ['01 OKT/OCT 2017 - 01 OKT/OCT 2027', ['171001 2017', '271001 2027']],
    ['10 MAA/MAR 1965 1,75 m', ['650310 1965']],
    ['1,75 m 10 MAA/MAR 1965', ['650310 1965']],
    ['10.03.1965 175 cm M NLD', ['650310 1965']],
    ['12.08.1974 MARSEILLE', ['740812 1974']],
    ['12081974MARSEILLE', ['740812 1974']],
    ['05032019-08102031', ['190305 2019', '311008 2031']],
    ['05 032020-14012031', ['200305 2020', '310114 2031']],
    ['MARSEILLE 13 - 12.08.1974', ['740812 1974']],
    ['12.08.14 MARSEILLE 05.06.20', ['140812', '200605']],
    ['4b. 12.08.1974 4a. 01.10.2017', ['740812 1974', '171001 2017']],
    ['12.08.1974 01.10.2017 30.09.2027', ['740812 1974', '171001 2017', '270930 2027']],
    ['L898902C3 12.08.1974', ['740812 1974']],
    ['12 DE AGOSTO DE 1974', ['740812 1974']],
    ['31.12.9999', ['991231 9999']],
  ])('%s', (line, dates) => {
    expect(datesOf(line)).toEqual(dates);
  });

  test.each([
    ['12 01 02 03'],
    ['112.08.1974'],
    ['12.08.19745'],
    ['1208197412081974'],
    ['AB120874'],
    ['120874AB'],
    ['120874MARSEILLE'],
    ['AB12081974'],
    ['12081974A'],
    ['12.13.1974'],
    ['32.12.1974'],
    ['12 1974 08'],
    ['12 AMSTERDAM 1974'],
  ])('%s has none that is sure', (line) => {
    expect(datesOf(line)).toEqual([]);
  });

  test('and a month is the one that its last word names', () => {
    expect(datesOf('12 AOUT 1974')).toEqual(['740812 1974']);
    expect(datesOf('12 MARRAS/NOV 1974')).toEqual(['741112 1974']);
  });

  test('and none is found that was not printed, whatever dates stand side by side', () => {
    const day = fc.record({
      d: fc.integer({ min: 1, max: 28 }),
      m: fc.integer({ min: 1, max: 12 }),
      y: fc.integer({ min: 1950, max: 2035 }),
    });
    const two = (value: number) => String(value % 100).padStart(2, '0');
    const sign = fc.constantFrom('.', '-', '/', ' ', '. ');
    fc.assert(
      fc.property(
        fc.array(day, { minLength: 1, maxLength: 3 }),
        sign,
        fc.constantFrom(' - ', ' ', '  ', '/', '-'),
        (days, within, apart) => {
          const line = days.map(({ d, m, y }) => [two(d), two(m), y].join(within)).join(apart);
          const wanted = days.map(({ d, m, y }) => `${two(y)}${two(m)}${two(d)} ${y}`);
          for (const found of datesOf(line)) expect(wanted).toContain(found);
          expect(datesOf(line).length).toBe(wanted.length);
        },
      ),
    );
  });
});

describe('that a document has no end is said', () => {
  test.each([
    ['Geldig tot / Valid until', 'ONBEPERKT'],
    ['Gültig bis / Date of expiry', 'unbefristet'],
    ["Date d'expiration / Expiry", 'Illimitée'],
    ['Data ważności / Expiry date', 'nieograniczona'],
    ['Vrijedi do / Valid until', 'TRAJNO'],
    ['Validez / Valid until', 'PERMANENTE'],
    ['Valid until: permanent'],
    ['Date of expiry', '99.99.9999'],
    ['NO EXPIRY'],
  ])('in %s %s', (...lines) => {
    expect(printed(...lines).endless).toBe('as expiry');
  });

  test('only in the place of the date of expiry', () => {
    expect(printed('Type of permit', 'PERMANENT RESIDENT').endless).toBe('somewhere');
    expect(printed('Valid until', '15.04.2032', 'Type of permit', 'UNLIMITED').endless).toBe('somewhere');
    expect(printed('Valid until', '15.04.2032', 'Document no. 99999').endless).toBeUndefined();
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
    expect(printedOf(columns).nameLines('surname', 'JANSSEN').length > 0).toBe(true);
    expect(printedOf(columns).nameLines('given', 'ELS').length > 0).toBe(true);
    expect(printedOf(columns).nameLines('given', 'JANSSEN').length > 0).toBe(false);
  });

  describe('and a name beside it on the same line belongs to it', () => {
    const [label, value] = stacked(['Given names', 'ANNA']) as [PrintLine, PrintLine];
    const beside = (text: string, gap: number, changes: Partial<PrintLine> = {}): PrintLine[] => {
      const left = value.right + gap;
      return [label, value, { ...value, text, left, right: left + 2 * text.length, ...changes }];
    };
    const has = (name: string, lines: PrintLine[]) => printedOf(lines).nameLines('given', name).length > 0;

    test.each([1, 8, 20, 35])('however wide the gap is: %d', (gap) => {
      expect(has('ANNA', beside('MARIA', gap))).toBe(false);
      expect(has('ANNA MARIA', beside('MARIA', gap))).toBe(true);
    });

    test('before it too', () => {
      const [before] = beside('MARIA', 0, { left: -30, right: -20 }).slice(2);
      expect(has('ANNA', before === undefined ? [] : [label, value, before])).toBe(false);
    });

    test('also if it runs into the value of the next column', () => {
      const [authority, ministry] = stacked(['Authority', 'MINISTRY'], 40) as [PrintLine, PrintLine];
      const columns = (read: PrintLine) => [label, value, authority, read];
      expect(has('ANNA', columns(ministry))).toBe(true);
      expect(has('ANNA', columns({ ...ministry, text: 'EBBAINISTRY', left: 34 }))).toBe(false);
    });

    test('on a further line of the name too', () => {
      const lines = stacked(['Given names', 'ANNA', 'MARIA']);
      const last = lines[2] as PrintLine;
      expect(has('ANNA MARIA', lines)).toBe(true);
      expect(has('ANNA MARIA', [...lines, { ...last, text: 'VITA', left: 20, right: 28 }])).toBe(false);
    });

    test('but not a figure, small print, a value with a label of its own, or another side', () => {
      const sex = stacked(['Geslacht / Sex', 'V'], value.right + 8);
      expect(has('ANNA', [label, value, ...sex])).toBe(true);
      expect(has('ANNA', beside('XR1001R58', 8))).toBe(true);
      expect(has('ANNA', beside('UTOPIA', 8, { height: 1.5 }))).toBe(true);
      expect(has('ANNA', beside('MARIA', 8, { side: 1 }))).toBe(true);
      expect(has('ANNA', beside('MARIA', 60))).toBe(true);
    });
  });

  describe('and a number in the line of its label is none', () => {
    const [label, value] = stacked(['Naam/Surname', 'DE PROEFPERSOON']) as [PrintLine, PrintLine];
    const [left, right] = [label.right + 20, label.right + 40];
    const beside = (text: string): PrintLine => ({ ...value, text, middle: label.middle, left, right });
    const has = (name: string, lines: PrintLine[]) => printedOf(lines).nameLines('surname', name).length > 0;

    test('so a name below stays the whole one, as on the page of a Dutch passport', () => {
      expect(has('DE PROEFPERSOON', [label, value, beside('NW44995K7')])).toBe(true);
      expect(printedOf([label, beside('NW44995K7')]).hasAnyName('surname')).toBe(false);
    });

    test('but what can be letters that were misread is a name', () => {
      for (const text of ['BAKKER', '8AKKER', '8AKK3R'])
        expect(has('DE PROEFPERSOON', [label, value, beside(text)])).toBe(false);
    });
  });

  test('a label on one side says nothing about a name on the other', () => {
    const [label, value] = stacked(['Surname', 'JANSSEN']);
    const sides = [label, value && { ...value, side: 1 }].filter((line) => line !== undefined);
    expect(printedOf(sides).nameLines('surname', 'JANSSEN').length > 0).toBe(false);
  });

  test('and may be longer than the zone only if the zone had no room', () => {
    const lines = stacked(['Given names', 'WILHELMINA CORNELIA']);
    expect(printedOf(lines).nameLines('given', 'WILHELMINA CORN', true).length > 0).toBe(true);
    expect(printedOf(lines).nameLines('given', 'WILHELMINA CORN', false).length > 0).toBe(false);
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

describe('the tables of ICAO Doc 9303', () => {
  const tables = [...latin, ...cyrillic, ...further];
  const all = new Set(tables.flatMap(([, ...ways]) => ways).filter(Boolean));

  test('have each letter of Latin alphabets once', () => {
    const letters = latin.flatMap(([each]) => Array.from(each));
    expect([letters.length, new Set(letters).size]).toEqual([95, 95]);
  });

  test('hold for each letter, and each small one, in each of its spellings, and in no other', () => {
    for (const letter of new Set(tables.flatMap(([letters]) => Array.from(letters)))) {
      const listed = tables.flatMap(([letters, ...ways]) => (letters.includes(letter) ? ways : []));
      const base = letter.normalize('NFD').charAt(0);
      const ofAccents = accented.flatMap(([of, ...ways]) => (of === base && of !== letter ? ways : []));
      for (const spelling of all) {
        const is = listed.includes(spelling) || ofAccents.includes(spelling);
        expect(isSpelt(`M${letter}M`, `M${spelling}M`), `${letter} ${spelling}`).toBe(is);
        const small =
          printed('Surname', `m${letter.toLowerCase()}m`).nameLines('surname', `M${spelling}M`).length > 0;
        expect(small, `${letter.toLowerCase()} ${spelling}`).toBe(is);
      }
    }
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
    expect(printed(line).numberLines('L898902C3')).toHaveLength(1);
  });

  test.each(['L898902C', 'L898902C33', 'AL898902C3', 'L898902C8'])('not in %s', (line) => {
    expect(printed(line).numberLines('L898902C3')).toHaveLength(0);
  });
});
