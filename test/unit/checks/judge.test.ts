import { describe, expect, test } from 'vitest';
import { impressionOf, judge } from '#activities/checks/document/judging/judge.ts';
import { nothingRead } from '#activities/checks/document/judging/readings.ts';
import type { CheckKind } from '#contract/enums.ts';
import { decide } from '#policy/verdicts/decide.ts';
import { eriksson, people } from '#test/support/specimens/people.ts';
import { stacked } from '#test/support/specimens/print-lines.ts';
import { type Format, tampered, zoneOf } from '#test/support/specimens/zone.ts';

const today = '2026-11-21';
const print = [
  ...['UTOPIA', 'Surname', 'Eriksson', 'Given names', 'Anna Maria', 'Document No. L898902C3'],
  ...['12 AUG/AUG 1974', '15 APR32'],
];
const zone = zoneOf(eriksson, 'TD3');

type Seen = {
  a?: string[];
  b?: string[];
  certainty?: number;
  print?: string[];
  today?: string;
  hasOtherZone?: boolean;
  mayBeRecaptured?: boolean;
};

/** Returns the checks by kind, if the readers saw these lines. A `.` is a place where a reader saw nothing. */
function judged({
  a = zone,
  b = a,
  certainty = 0.999,
  print: seen = print,
  today: day = today,
  hasOtherZone = false,
  mayBeRecaptured = false,
}: Seen = {}) {
  const places = (lines: string[]) => lines.map((line) => Array.from(line, (c) => (c === '.' ? '' : c)));
  const read = {
    zone: { a: places(a), b: places(b), certainty },
    print: stacked(seen),
    hasOtherZone,
    codeNumbers: [],
    mayBeRecaptured,
  };
  const checks = judge(read, day);
  return Object.fromEntries(checks.map((check) => [check.kind, check])) as Record<
    CheckKind,
    (typeof checks)[number]
  >;
}

/** Lines of a zone with fillers at their end. */
const filled = (width: 30 | 36 | 44, lines: readonly string[]) =>
  lines.map((line) => line.padEnd(width, '<'));

const resultOf = (kind: CheckKind, seen: Seen) => judged(seen)[kind].result;
const digits = (seen: Seen) => resultOf('mrz_check_digits', seen);
const expiry = (seen: Seen) => resultOf('document_expiry', seen);
const consistency = (seen: Seen) => resultOf('data_consistency', seen);

test('the four document checks are said in their order, and genuineness never', () => {
  expect(
    judge({ ...nothingRead, zone: { a: [], b: [], certainty: 0 } }, today).map(({ kind }) => kind),
  ).toEqual(['document_integrity', 'document_expiry', 'mrz_check_digits', 'data_consistency']);
  expect(judged().document_integrity).toEqual({
    kind: 'document_integrity',
    result: 'not_applicable',
    confidence: 0,
  });
});

test('a picture that may show a copy brings the document in doubt, whatever was read, and never fails it', () => {
  const checks = judged({ mayBeRecaptured: true });
  expect(checks.document_integrity).toEqual({ kind: 'document_integrity', result: 'doubt', confidence: 0 });
  expect({ ...checks, document_integrity: undefined }).toEqual({
    ...judged(),
    document_integrity: undefined,
  });
});

test('what both readers see and what holds has passed', () => {
  for (const format of ['TD1', 'TD2', 'TD3'] as Format[])
    for (const person of people) {
      const a = zoneOf(person, format);
      expect([digits({ a }), expiry({ a })], `${person.surname} ${format}`).toEqual(['passed', 'passed']);
    }
  expect(consistency({})).toBe('passed');
});

test('without a zone everything is in doubt, with confidence 0', () => {
  const checks = judge({ ...nothingRead, print: stacked(print) }, today);
  expect(checks.slice(1).map(({ result, confidence }) => [result, confidence])).toEqual(
    Array(3).fill(['doubt', 0]),
  );
});

test("the examples of ICAO Doc 9303 are read by its rules, a long document's number as well", () => {
  const a = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'];
  expect([digits({ a }), expiry({ a, print: ['15 APR 2012'] })]).toEqual(['passed', 'failed']);
  const long = [
    'I<UTOD23145890<7349<<<<<<<<<<<',
    '3407127M9507122UTO<<<<<<<<<<<2',
    'STEVENSON<<PETER<JOHN<<<<<<<<<',
  ];
  expect(digits({ a: long })).toBe('passed');
});

describe('check digits', () => {
  test('pass and fail by nothing that one reader alone has seen', () => {
    for (const place of Array.from(zone[1] ?? '', (_, index) => index)) {
      const other = tampered(zone, 1, place, zone[1]?.[place] === 'X' ? 'Y' : 'X');
      const inNoDigit = (place >= 10 && place < 13) || place === 20;
      expect(digits({ b: other }), `reader B at ${place}`).toBe(inNoDigit ? 'passed' : 'doubt');
      expect(['doubt', 'passed'], `reader A at ${place}`).toContain(digits({ a: other, b: zone }));
    }
  });

  test('fail when both see the same, sharply, and it does not hold', () => {
    for (const place of [13, 19, 21, 43]) {
      const a = tampered(zone, 1, place, zone[1]?.[place] === '4' ? '7' : '4');
      expect(digits({ a }), `at ${place}`).toBe('failed');
      expect(digits({ a, certainty: 0.8 }), `unsharp, at ${place}`).toBe('doubt');
    }
  });

  test('are in doubt when both may have taken a character for one that looks like it', () => {
    const a = zoneOf({ ...eriksson, number: 'QZ8810O42' }, 'TD3');
    expect(digits({ a })).toBe('passed');
    expect(digits({ a: tampered(a, 1, 6, '0') })).toBe('doubt');
  });

  test('tell the letter O from a zero where the check digits allow only one of them, and neither reader alone does', () => {
    for (const [format, line, first] of [
      ['TD3', 1, 0],
      ['TD2', 1, 0],
      ['TD1', 0, 5],
    ] as const)
      for (let place = 0; place < 9; place++) {
        const letter = zoneOf(
          { ...eriksson, number: 'Z98K27C31'.split('').with(place, 'O').join('') },
          format,
        );
        const zero = zoneOf({ ...eriksson, number: 'Z98K27C31'.split('').with(place, '0').join('') }, format);
        const at = first + place;
        const said = [
          digits({ a: letter, b: tampered(letter, line, at, '0') }),
          digits({ a: tampered(zero, line, at, 'O'), b: zero }),
          digits({ a: tampered(letter, line, at, '0'), b: letter }),
          digits({ a: zero, b: tampered(zero, line, at, 'O') }),
        ];
        expect(said, `${format} at ${place}`).toEqual(['passed', 'doubt', 'doubt', 'doubt']);
      }
    const both = (number: string) => {
      const a = zoneOf({ ...eriksson, number }, 'TD3');
      const b = a.with(1, (a[1] ?? '').replaceAll('O', '0'));
      return digits({ a, b });
    };
    const told = ['OZ8O27C31', 'ZOOK27C31', 'O9OK27C31'].map(both);
    const untold = ['OO8K27C31', 'O98KO7C31', 'OZOO27C31', 'OOOOO7C31'].map(both);
    expect([told, untold]).toEqual([Array(3).fill('passed'), Array(4).fill('doubt')]);
    const other = tampered(zoneOf({ ...eriksson, number: 'O98K27C31' }, 'TD3'), 1, 0, '0');
    expect(digits({ a: tampered(other, 1, 0, 'O'), b: tampered(other, 1, 5, '1') })).toBe('doubt');
  });

  test('take a letter for a digit only where no letter can stand, and nothing else for anything', () => {
    expect(digits({ b: tampered(zone, 1, 17, 'I') })).toBe('passed');
    expect(digits({ b: tampered(zone, 1, 12, '0') })).toBe('passed');
    expect(digits({ b: tampered(zone, 1, 5, 'O') })).toBe('doubt');
  });

  test('are not in doubt by fillers that reader B does not see, but by characters', () => {
    expect(digits({ b: tampered(zone, 1, 40, '.') })).toBe('passed');
    expect(digits({ b: tampered(zone, 1, 40, 'K') })).toBe('passed');
    expect(digits({ b: tampered(zone, 1, 3, '.') })).toBe('doubt');
    expect(digits({ a: tampered(zone, 1, 40, 'K'), b: zone })).toBe('doubt');
  });

  test('that are missing, with a filler in their place, are in doubt and never fail', () => {
    const blank = zoneOf({ ...eriksson, expiry: '' }, 'TD1');
    const noBirth = zoneOf({ ...eriksson, birth: '' }, 'TD1');
    expect([digits({ a: blank }), digits({ a: noBirth })]).toEqual(['passed', 'passed']);
    const moldovan = tampered(blank, 1, 14, '<');
    expect([digits({ a: moldovan }), expiry({ a: moldovan })]).toEqual(['doubt', 'doubt']);
    expect(digits({ a: tampered(noBirth, 1, 6, '<') })).toBe('doubt');
    for (const [line, place] of [
      [0, 14],
      [1, 6],
      [1, 14],
      [1, 29],
    ] as const)
      expect(digits({ a: tampered(blank, line, place, '<') }), `${line} ${place}`).toBe('doubt');
  });

  test('of an empty personal number may be a filler or a 0', () => {
    const german = (digit: string, last: string) =>
      filled(44, ['P<D<<MUSTERMANN<<ERIKA', `C01X0006H1D<<6408125F3202285<<<<<<<<<<<<<<${digit}${last}`]);
    expect([digits({ a: german('<', '6') }), digits({ a: german('0', '6') })]).toEqual(['passed', 'passed']);
  });

  test('of cards of the same state but another format hold, where a reader took letters for digits and digits for letters', () => {
    const a = filled(30, ['IDFRAX4RTBPFW46', '90O7138F3002119FRA<<<<<<<<<<<6', 'M0REAU<<OLOO<ODILE']);
    expect([digits({ a }), expiry({ a })]).toEqual(['passed', 'passed']);
    const older = filled(36, ['1DFRABERTH1ER', '88O69231O2858C0R1NNE<<<<<<<6512O68F6']);
    expect(digits({ a: older })).toBe('passed');
  });

  test('in doubt have a confidence that says how far it got', () => {
    const one = judged({ b: tampered(zone, 1, 3, 'X') }).mrz_check_digits.confidence;
    const many = judged({ b: [zone[0] ?? '', 'X'.repeat(44)] }).mrz_check_digits.confidence;
    expect(one).toBeGreaterThan(many);
    expect(one).toBeLessThanOrEqual(0.9);
  });
});

describe('expiry', () => {
  const expiring = (date: string) => zoneOf({ ...eriksson, expiry: date }, 'TD3');

  test.each([
    ['2026-11-21', 'passed'],
    ['2026-11-20', 'failed'],
    ['2024-02-29', 'failed'],
    ['2006-01-01', 'failed'],
    ['2005-12-31', 'doubt'],
    ['1999-01-01', 'doubt'],
    ['2075-12-31', 'passed'],
    ['1995-12-31', 'doubt'],
    ['2076-01-01', 'doubt'],
    ['2027-02-30', 'doubt'],
    ['2027-13-01', 'doubt'],
  ])('%s, and not in print: %s', (date, result) => {
    expect(expiry({ a: expiring(date), print: [] })).toBe(result);
  });

  test('is in doubt when the readers do not agree on it, or its own check digit does not hold', () => {
    for (const place of [21, 22, 23, 24, 25, 26, 27]) {
      const other = tampered(zone, 1, place, zone[1]?.[place] === '9' ? '8' : '9');
      expect(expiry({ b: other }), `reader B at ${place}`).toBe('doubt');
      expect(expiry({ a: other }), `both at ${place}`).toBe('doubt');
    }
  });

  test.each([
    ['2099-06-01', ['01.06.2099'], 'passed'],
    ['2099-06-01', ['01 JUN 99'], 'doubt'],
    ['2084-06-01', ['10.03.2024 - 01.06.2084'], 'passed'],
    ['2999-12-31', ['31.12.2999'], 'passed'],
    ['1999-06-01', ['01.06.1999'], 'failed'],
    ['1984-06-01', ['01.06.1984'], 'failed'],
    ['1999-06-01', ['01.06.1999', '01.06.9999'], 'doubt'],
    ['2027-02-30', ['30.02.2027'], 'doubt'],
    ['2012-04-15', ['15.04.2012'], 'failed'],
    ['2012-04-15', ['15.04.2012', 'Valid until', 'UNLIMITED'], 'doubt'],
    ['2012-04-15', ['Valid until', '15.04.2012', 'PERMANENT RESIDENT'], 'doubt'],
    ['2012-04-15', ['15.04.2112'], 'doubt'],
    ['2012-04-15', ['15.04.2022', '15.04.2032'], 'doubt'],
    ['2012-04-15', ['15.04.12', '16.04.30'], 'doubt'],
  ])('%s with %j in print: %s', (date, print, result) => {
    expect(expiry({ a: expiring(date), print })).toBe(result);
  });

  test('is not taken from a date of birth on the same day', () => {
    const a = zoneOf({ ...eriksson, birth: '1999-06-01', expiry: '2099-06-01' }, 'TD3');
    expect(expiry({ a, print: ['01.06.1999'] })).toBe('doubt');
    expect(expiry({ a, print: ['01.06.1999', '01.06.2099'] })).toBe('passed');
  });

  const italian = filled(30, ['C<ITACA12345AB8', '5003154F9901018ITA<<<<<<<<<<<0', 'ROSSI<<MARIA']);
  const blank = zoneOf({ ...eriksson, expiry: '' }, 'TD1');
  const nines = zoneOf({ ...eriksson, expiry: '9999-99-99' }, 'TD1');
  const zeros = zoneOf({ ...eriksson, expiry: '0000-00-00' }, 'TD1');

  test.each([
    [italian, ['01.01.9999'], 'passed'],
    [italian, ['10.03.2026 - 01/01/9999'], 'passed'],
    [italian, ['Scadenza / Expiry', 'ILLIMITATA'], 'passed'],
    [italian, ['Scadenza / Expiry: illimitata'], 'passed'],
    [italian, ['Scadenza / Expiry', '99.99.9999'], 'passed'],
    [italian, ['Scadenza / Expiry', 'SENZA SCADENZA'], 'passed'],
    [italian, ['ILLIMITATA'], 'doubt'],
    [italian, ['01 01 99'], 'doubt'],
    [italian, [], 'doubt'],
    [blank, [], 'passed'],
    [blank, ['Geldig tot', 'ONBEPERKT'], 'passed'],
    [tampered(blank, 1, 14, '<'), ['Geldig tot', 'ONBEPERKT'], 'doubt'],
    [nines, [], 'doubt'],
    [nines, ['Gültig bis', 'UNBEGRENZT'], 'passed'],
    [zeros, [], 'doubt'],
    [zeros, ['Valable jusqu’au / Expiry', 'Illimitée'], 'passed'],
  ])('never comes for a document without end: %#', (a, print, result) => {
    expect(expiry({ a, print })).toBe(result);
    const checks = Object.values(judged({ a, print }));
    for (const rule of ['machine_may_reject', 'machine_may_decide'] as const)
      expect(decide('document_only', checks, rule).outcome).not.toBe('rejected');
  });

  test('is said whatever else is in doubt', () => {
    expect(expiry({ b: tampered(zone, 1, 0, 'X') })).toBe('passed');
  });
});

describe('consistency', () => {
  test.each([
    ['number', 'L898902C3', 'L898902C4'],
    ['surname', 'Eriksson', 'Eriksen'],
    ['surname by one letter', 'Eriksson', 'Erikson'],
    ['given name', 'Anna Maria', 'Anna Marie'],
    ['century of birth', '12 AUG/AUG 1974', '12 AUG/AUG 2074'],
    ['century of birth', '12 AUG/AUG 1974', '12 AUG/AUG 1874'],
    ['century of expiry', '15 APR32', '15 APR 1932'],
    ['date of birth', '12 AUG/AUG 1974', '13 AUG/AUG 1974'],
    ['date of expiry', '15 APR32', '15 APR33'],
  ])('is in doubt, never failed, when the print has another %s, or none', (_, said, other) => {
    const without = (instead: string) => print.map((line) => line.replace(said, instead));
    expect(consistency({ print: without(other) })).toBe('doubt');
    expect(consistency({ print: without('') })).toBe('doubt');
    expect(judged({ print: without(other) }).data_consistency.confidence).toBe(0.72);
  });
});

describe('names', () => {
  const dutch = filled(30, [
    'I<NLDSPECI20212',
    '8503105F3108022NLD<<<<<<<<<<<6',
    'VAN<DEN<BERGHE<VAN<WASSENA<<JA',
  ]);
  const printOf = (surname: string[], given: string[]) => [
    ...[
      'SPECI2021',
      '10.03.1985',
      '02.08.2031',
      'Naam / Surname',
      ...surname,
      'Voornamen / Given names',
      ...given,
    ],
  ];

  test.each([
    [['van den Berghe van Wassenaar Obdam'], ['Jan']],
    [['van den Berghe van', 'Wassenaar Obdam'], ['Jan']],
    [
      ['van den Berghe', 'van Wassenaar', 'Obdam'],
      ['Jacoba', 'Maria'],
    ],
    [['van den Berghe van Wassenaar', 'e/v de Vries'], ['Jan']],
  ])('that the zone cut off are compared as a beginning: %j %j', (surname, given) => {
    expect(consistency({ a: dutch, print: printOf(surname, given) })).toBe('passed');
  });

  test.each([
    [['van den Berghe van Wassen'], ['Jan']],
    [['van den Berghe van Wassanaar'], ['Jan']],
    [['van den Bergh van Wassenaar'], ['Jan']],
    [['van den Berghes van Wassenaar'], ['Jan']],
    [['van Berghe van Wassenaar'], ['Jan']],
    [['van den Berghe van', 'Wassenaar Obdam'], ['Els']],
  ])('that are others stay in doubt: %j %j', (surname, given) => {
    expect(consistency({ a: dutch, print: printOf(surname, given) })).toBe('doubt');
  });

  test('that were cut in their parts pass, as in the examples of ICAO Doc 9303', () => {
    const numbered = zoneOf(eriksson, 'TD1');
    const seen = (names: string, surname: string, given: string) =>
      consistency({
        a: [...numbered.slice(0, 2), names],
        print: ['L898902C3', '12.08.1974', '15.04.2032', 'Surname', surname, 'Given names', given],
      });
    const long = 'BENNELONG WOOLOOMOOLOO WARRANDYTE WARNAMBOOL';
    for (const names of [
      'BENNELONG<WOOLOOMOOLOO<W<W<<DI',
      'BENNELONG<WOOLOOM<WA<WARN<<D<P',
      'BENNE<WOOLO<WARRA<WARNA<<DIN<P',
    ])
      expect(seen(names, long, 'DINGO POTOROO'), names).toBe('passed');
    const names = 'NILAVADHANANANDA<<CHAYAPA<DE<K';
    expect(seen(names, 'NILAVADHANANANDA', 'CHAYAPA DEJTHAMRONG KRASUANG')).toBe('passed');
    // A short surname is never cut, although the line is full.
    expect(seen(names, 'NILAVADHANANANDAS', 'CHAYAPA DEJTHAMRONG KRASUANG')).toBe('doubt');
    expect(seen('PAPANDROPOULOUS<<JONATHON<ALEC', 'PAPANDROPOULOUS', 'JONATHON ALEC')).toBe('passed');
  });

  test('of a holder with one name only pass as surname or as given name, if there is no other', () => {
    const seen = (surname: string, given: string, print: string[]) =>
      consistency({
        a: zoneOf({ ...eriksson, surname, givenNames: given }, 'TD3'),
        print: ['L898902C3', '12.08.1974', '15.04.2032', ...print],
      });
    expect(seen('ARKFREITH', '', ['Surname', 'ARKFREITH'])).toBe('passed');
    expect(seen('SATRIYA SUDARPA', '', ['Surname', '', 'Given names', 'Satriya Sudarpa'])).toBe('passed');
    expect(seen('', 'RAMESH', ['Surname', '-', 'Given names', 'RAMESH'])).toBe('passed');
    expect(seen('ARKFREITH', '', ['Surname', 'ARKFREITH', 'Given names', 'ELS'])).toBe('doubt');
    expect(seen('ARKFREITH', '', ['Surname', 'ARKFREIT'])).toBe('doubt');
    expect(seen('', '', ['Surname', 'ARKFREITH'])).toBe('doubt');
  });

  test.each([
    ['Danish', 'JØRGENSEN ÅBERG', 'SØREN', 'JOERGENSEN AABERG', 'SOEREN'],
    ['Swedish', 'ÖSTLUND', 'BJÖRN', 'OESTLUND', 'BJOERN'],
    ['German', 'GROẞ-MÜLLER', 'Jürgen', 'GROSS MUELLER', 'JUERGEN'],
    ['Polish', 'Łukaszewić', 'Żółćsława', 'LUKASZEWIC', 'ZOLCSLAWA'],
    ['Icelandic', 'Þórðardóttir', 'Æsa Guðrún', 'THORDARDOTTIR', 'AESA GUDRUN'],
    ['Turkish', 'YILDIZOĞLU', 'İrem Işıl', 'YILDIZOGLU', 'IREM ISIL'],
    ['French', "D'Œuvrêt", 'Loïc François', 'DOEUVRET', 'LOIC FRANCOIS'],
    ['Spanish', 'MUÑOZ PEÑA', 'Íñigo', 'MUNXXOZ PENXXA', 'INXXIGO'],
    ['Croatian', 'Đurđević', 'Ǆenana', 'DURDEVIC', 'DZENANA'],
    ['Northern Sami', 'ŊÁVDDI', 'Áŧŧe', 'NAVDDI', 'ATTE'],
    ['Dutch', 'Ĳsselmĳer', 'Daniël', 'IJSSELMIJER', 'DANIEL'],
    ['Maltese', 'Ħaż-Żebbuġ', 'Ċikku', 'HAZ ZEBBUG', 'CIKKU'],
    ['Romanian', 'Țepeș', 'Ștefăniță', 'TEPES', 'STEFANITA'],
    ['Vietnamese', 'NGUYỄN', 'Thị Hương', 'NGUYEN', 'THI HUONG'],
    ['Russian', 'ЩЕГЛОВА', 'ЮЛИЯ', 'SHCHEGLOVA', 'IULIIA'],
    ['Ukrainian', 'ЄРМОЛЕНКО', 'ЯРОСЛАВ', 'YERMOLENKO', 'YAROSLAV'],
  ])('with letters that the zone does not have pass: %s', (_, surname, given, zoneSurname, zoneGiven) => {
    const print = ['L898902C3', '12.08.1974', '15.04.2032', 'Surname', surname, 'Given names', given];
    const person = { ...eriksson, surname: zoneSurname, givenNames: zoneGiven };
    expect(consistency({ a: zoneOf(person, 'TD3'), print })).toBe('passed');
    for (const other of [zoneSurname.slice(1), `${zoneSurname}S`, zoneSurname.replace(/[AEIOU]/, 'Q')])
      expect(consistency({ a: zoneOf({ ...person, surname: other }, 'TD3'), print }), other).toBe('doubt');
  });
});

describe('the number of the document', () => {
  test('is the whole one, where the zone splits it', () => {
    const a = filled(36, ['IDFRABERTHIER', '8806923102858CORINNE<<<<<<<6512068F6']);
    const seen = (number: string) =>
      judged({ a, print: [number, '06.12.1965', 'Nom', 'BERTHIER', 'Prénoms', 'CORINNE'] });
    expect(seen('880692310285').mrz_check_digits.result).toBe('passed');
    expect(seen('880692310285').data_consistency.result).toBe('passed');
    expect(seen('10285').data_consistency.result).toBe('doubt');
  });

  test('may be printed with signs, and with those that the zone replaces by fillers', () => {
    const seen = (number: string, print: string) => {
      const a = zoneOf({ ...eriksson, number }, 'TD3');
      const said = ['12.08.1974', '15.04.2032', 'Surname', 'ERIKSSON', 'Given names', 'ANNA MARIA'];
      return consistency({ a, print: [print, ...said] });
    };
    expect(seen('L898902C3', 'No. L-898 902-C3')).toBe('passed');
    expect(seen('AB<12345', 'AB-12345')).toBe('passed');
    expect(seen('AB<12345', 'AB 12345')).toBe('passed');
    expect(seen('AB<12345', 'B-12345')).toBe('doubt');
  });

  test('may be longer than its field', () => {
    const a = filled(30, ['IDBEL000590696<1015', '9401013F2710017BEL000101123453', 'SPECIMEN<<SPECIMEN']);
    const print = ['01.01.1994', '01.10.2017 - 01.10.2027', 'Name', 'SPECIMEN', 'Given names', 'SPECIMEN'];
    expect(consistency({ a, print: ['000-5906961-01', ...print] })).toBe('passed');
    expect(consistency({ a, print: ['000-590696', ...print] })).toBe('doubt');
  });
});

test('dates that share a line with other figures pass', () => {
  const said = ['L898902C3', 'Surname', 'ERIKSSON', 'Given names', 'ANNA MARIA'];
  const dates = ['12 AOU/AUG 1974 1,75 m', '15.04.2022 - 15.04.2032'];
  expect(consistency({ print: [...said, ...dates] })).toBe('passed');
  expect(consistency({ print: [...said, dates[0] ?? '', '15.04.2022 - 15.05.2032'] })).toBe('doubt');
});

test('consistency is passed for what both say, and in doubt beside another zone', () => {
  expect(consistency({})).toBe('passed');
  expect(consistency({ hasOtherZone: true })).toBe('doubt');
});

describe('the impression of one reader', () => {
  const impression = (lines: string[], day = today) =>
    impressionOf(
      lines.map((line) => Array.from(line)),
      day,
    );

  test('is fine for a good zone, until the day after its expiry', () => {
    expect(impression(zone)).toBe('fine');
    expect(impression(zone, '2032-04-15')).toBe('fine');
    expect(impression(zone, '2032-04-16')).toBe('expired');
  });

  test('is never expired for a date that may be far ahead, or none', () => {
    for (const expiry of ['9999-01-01', '9999-12-31', '2099-06-01', ''])
      expect(impression(zoneOf({ ...eriksson, expiry }, 'TD1')), expiry).toBe('fine');
  });

  test('asks for no better picture because of one misread character, and calls nothing expired then', () => {
    expect(impression(tampered(zone, 1, 0, 'M'))).toBe('fine');
    expect(impression(tampered(zone, 1, 0, 'M'), '2032-04-16')).toBe('fine');
  });

  test('asks for no better picture because of one place that was not read', () => {
    const rows = zone.map((line) => Array.from(line));
    for (const place of [0, 5, 9, 20])
      expect(
        impressionOf(
          rows.map((row, index) => (index === 1 ? row.with(place, '') : row)),
          today,
        ),
      ).toBe('fine');
  });

  test('asks for no better picture because a row was read one place beside, as its first or last place was missed', () => {
    const rows = zone.map((line) => Array.from(line));
    const instead = (way: (row: string[]) => string[]) =>
      impressionOf(
        rows.map((row, index) => (index === 1 ? way(row) : row)),
        today,
      );
    expect(instead((row) => [...row.slice(1), ''])).toBe('fine');
    expect(instead((row) => ['', ...row.slice(0, -1)])).toBe('fine');
    // A row that is read whole is never moved.
    expect(instead((row) => [...row.slice(1), '<'])).toBe('unreadable');
  });

  test('is unreadable if most check digits are wrong, or if it is no zone', () => {
    const wrong = tampered(tampered(tampered(zone, 1, 0, 'M'), 1, 14, '9'), 1, 22, '9');
    expect(impression(wrong)).toBe('unreadable');
    expect(impression(['ABC'])).toBe('unreadable');
  });
});
