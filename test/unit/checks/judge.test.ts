import { describe, expect, test } from 'vitest';
import { impressionOf, judge } from '#activities/checks/document/judge.ts';
import { nothingRead } from '#activities/checks/document/readings.ts';
import type { CheckKind } from '#contract/enums.ts';
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
  fit?: number;
  print?: string[];
  today?: string;
  hasOtherZone?: boolean;
  mayBeRecaptured?: boolean;
};

/** Returns the checks by kind, if the readers saw these lines. A `.` is a place where a reader saw nothing. */
function judged({
  a = zone,
  b = a,
  fit = 0.97,
  print: seen = print,
  today: day = today,
  hasOtherZone = false,
  mayBeRecaptured = false,
}: Seen = {}) {
  const places = (lines: string[]) => lines.map((line) => Array.from(line, (c) => (c === '.' ? '' : c)));
  const read = {
    zone: { a: places(a), b: places(b), fit },
    print: stacked(seen),
    hasOtherZone,
    mayBeRecaptured,
  };
  const checks = judge(read, day);
  return Object.fromEntries(checks.map((check) => [check.kind, check])) as Record<
    CheckKind,
    (typeof checks)[number]
  >;
}

const resultOf = (kind: CheckKind, seen: Seen) => judged(seen)[kind].result;
const digits = (seen: Seen) => resultOf('mrz_check_digits', seen);
const expiry = (seen: Seen) => resultOf('document_expiry', seen);
const consistency = (seen: Seen) => resultOf('data_consistency', seen);

test('the four document checks are said in their order, and genuineness never', () => {
  expect(judge({ ...nothingRead, zone: { a: [], b: [], fit: 0 } }, today).map(({ kind }) => kind)).toEqual([
    'document_integrity',
    'document_expiry',
    'mrz_check_digits',
    'data_consistency',
  ]);
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
  expect([digits({ a }), expiry({ a })]).toEqual(['passed', 'failed']);
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
      expect(digits({ a, fit: 0.8 }), `unsharp, at ${place}`).toBe('doubt');
    }
  });

  test('are in doubt when both may have taken a character for one that looks like it', () => {
    const a = zoneOf({ ...eriksson, number: 'QZ8810O42' }, 'TD3');
    expect(digits({ a })).toBe('passed');
    expect(digits({ a: tampered(a, 1, 6, '0') })).toBe('doubt');
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

  test('are told nothing of by a visa, whose check digits are others', () => {
    const a = [`V${zone[0]?.slice(1)}`, zone[1] ?? ''];
    expect([digits({ a }), expiry({ a }), consistency({ a })]).toEqual(['doubt', 'doubt', 'doubt']);
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
    ['1996-01-01', 'failed'],
    ['1999-01-01', 'doubt'],
    ['2075-12-31', 'passed'],
    ['1995-12-31', 'doubt'],
    ['2076-01-01', 'doubt'],
    ['2027-02-30', 'doubt'],
    ['2027-13-01', 'doubt'],
  ])('%s: %s', (date, result) => {
    expect(expiry({ a: expiring(date) })).toBe(result);
  });

  test('is in doubt when the readers do not agree on it, or its own check digit does not hold', () => {
    for (const place of [21, 22, 23, 24, 25, 26, 27]) {
      const other = tampered(zone, 1, place, zone[1]?.[place] === '9' ? '8' : '9');
      expect(expiry({ b: other }), `reader B at ${place}`).toBe('doubt');
      expect(expiry({ a: other }), `both at ${place}`).toBe('doubt');
    }
  });

  test('never comes for a document that has none, in zone or in print', () => {
    expect(expiry({ a: expiring('') })).toBe('passed');
    const spanish = expiring('1999-01-01');
    expect(expiry({ a: spanish, print: ['01 01 9999'] })).toBe('passed');
    expect(expiry({ a: spanish, print: ['01 01 1999'] })).toBe('failed');
    expect(expiry({ a: spanish, print: ['01 01 99'] })).toBe('failed');
    expect(expiry({ a: spanish, print: [] })).toBe('doubt');
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
