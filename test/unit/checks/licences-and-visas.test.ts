import { describe, expect, test } from 'vitest';
import { impressionOf, judge } from '#activities/checks/document/judging/judge.ts';
import { decide } from '#policy/verdicts/decide.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { stacked } from '#test/support/specimens/print-lines.ts';
import { licenceLineOf, tampered, visaOf, zoneOf } from '#test/support/specimens/zone.ts';

const today = '2026-11-21';
const places = (lines: readonly string[]) => lines.map((line) => Array.from(line));

/** What is said if both readers read these lines, or reader B others. In the order of the checks. */
function judged(a: string[], print: string[] = [], b = a, certainty = 0.999, codeNumbers: string[] = []) {
  const zone = { a: places(a), b: places(b), certainty };
  return judge(
    { zone, print: stacked(print), hasOtherZone: false, codeNumbers, mayBeRecaptured: false },
    today,
  );
}
const wordsOf = (checks: ReturnType<typeof judge>) => checks.map(({ result }) => result);
const confidences = (checks: ReturnType<typeof judge>) => checks.map(({ confidence }) => confidence);

/** Lines that were published with pictures of specimens of the RDW. */
const published = [
  'D1NLD15094962111659VW87Z78NB84',
  'D1NLD250949621112HF7W55VL42L21',
  'D1NLD2509496211136GP2N3MN8SB56',
  'D1NLD362361864332VD9S5D36V7R25',
];
const number = '5094962111';
const line = licenceLineOf(number, '6ZVW87B78NS84');
const front = ['1. Eriksson', '2. Anna Maria', '3. 12.08.1974 Utopia', '4a. 05.03.2024', '4b. 15.04.2032'];
const back = ['999912343/5094962111', '05.03.24 15.04.32'];
const print = [...front, `5. ${number}`, ...back];

describe('a Dutch driving licence', () => {
  test.each(published)('has a check digit that holds in %s, and not with another number', (specimen) => {
    expect(wordsOf(judged([specimen]))).toEqual(['not_applicable', 'doubt', 'passed', 'doubt']);
    const other = tampered([specimen], 0, 8, specimen[8] === '7' ? '3' : '7');
    expect(wordsOf(judged(other))[2], 'a machine may reject by what fails').toBe('doubt');
  });

  test('passes its digit by nothing that one reader alone has seen', () => {
    for (const place of Array.from(line, (_, index) => index).slice(5)) {
      const other = tampered([line], 0, place, line[place] === '7' ? '3' : '7');
      expect(wordsOf(judged([line], print, other))[2], `reader B at ${place}`).toBe('doubt');
      expect(wordsOf(judged(other, print, [line]))[2], `reader A at ${place}`).toBe('doubt');
    }
    expect(wordsOf(judged(tampered([line], 0, 29, '0'), print, undefined, 0.9))[2]).toBe('doubt');
  });

  test('tells its letters from digits by their place, and the letter O from a zero by the digit', () => {
    const misread = line.replace('D1NLD25', 'DINLD2S');
    expect(wordsOf(judged([misread]))[2]).toBe('passed');
    const withO = licenceLineOf(number, '6OVW87B78NS84');
    expect(wordsOf(judged([withO], [], [withO.replace('O', '0')]))[2]).toBe('passed');
  });

  test('never passes expiry and consistency, whatever is printed, and the confidence says what was found', () => {
    const said = (...seen: string[]) => {
      const checks = judged([line], seen);
      expect(wordsOf(checks)).toEqual(['not_applicable', 'doubt', 'passed', 'doubt']);
      expect(decide('document_only', checks, 'machine_may_decide')).toMatchObject({
        outcome: 'review',
        reasonIds: ['document_data_in_doubt', 'person_assesses'],
      });
      const [, expiry, , consistency] = confidences(checks);
      return [expiry, consistency];
    };
    expect(said(...print)).toEqual([0.45, 0.9]);
    expect(said(...front, `5.${number}`)).toEqual([0.45, 0.9]);
    expect(said(...front)).toEqual([0.45, 0]);
    expect(said(...front, '5. 5094962112', ...back)).toEqual([0.45, 0]);
    expect(said(...front, `5. ${number}`, '999912343/5094962112')).toEqual([0.45, 0]);
    expect(said(...print.with(4, '4b. 15.04.2025'))).toEqual([0, 0.9]);
    expect(said(...print.with(4, ''))).toEqual([0, 0.45]);
    expect(said(...print.with(3, '4a. 05.03.2027'))).toEqual([0, 0.45]);
    expect(said()).toEqual([0, 0]);
  });

  test('has its number in the code of its back too, and another one there is that of another licence', () => {
    const said = (codeNumbers: string[], seen = print) => {
      const checks = judged([line], seen, undefined, undefined, codeNumbers);
      expect(wordsOf(checks)).toEqual(['not_applicable', 'doubt', 'passed', 'doubt']);
      return confidences(checks)[3];
    };
    expect(said([number])).toBe(0.9);
    expect(said(['5094962112'])).toBe(0);
    expect(said([number, '5094962112'])).toBe(0);
    expect(said([number], front)).toBe(0.9);
    expect(said([number], [])).toBe(0.45);
  });

  test('is known by its first five characters, and a line of another state is no zone', () => {
    const foreign = `D1BEL${line.slice(5)}`;
    expect(confidences(judged([foreign], print))).toEqual([0, 0, 0, 0]);
    expect(confidences(judged([line.slice(0, 29)], print))).toEqual([0, 0, 0, 0]);
  });
});

describe('a visa', () => {
  const printed = [
    'Surname',
    'Eriksson',
    'Given names',
    'Anna Maria',
    'L898902C3',
    '12.08.1974',
    '15.04.2032',
  ];

  test.each([
    ['A', 44],
    ['B', 36],
  ] as const)(
    'of format %s has check digits, and nothing of it passes besides, whatever the print bears out',
    (_, width) => {
      const a = visaOf(eriksson, width, 'AB12CD7O');
      const checks = judged(a, printed);
      expect(wordsOf(checks)).toEqual(['not_applicable', 'doubt', 'passed', 'doubt']);
      expect(confidences(checks)).toEqual([0, 0, 0.99, 0]);
      expect(decide('document_only', checks, 'machine_may_decide').outcome).toBe('review');
      for (const place of [0, 9, 13, 19, 21, 27]) {
        const other = tampered(a, 1, place, a[1]?.[place] === '7' ? '3' : '7');
        expect(wordsOf(judged(a, printed, other))[2], `reader B at ${place}`).toBe('doubt');
        expect(wordsOf(judged(other, printed))[2], `both at ${place}`).not.toBe('passed');
      }
    },
  );

  test('with the zone of a passport but for its first letter passes no more', () => {
    const a = zoneOf(eriksson, 'TD3', 'V<');
    expect(wordsOf(judged(a, printed))).toEqual(['not_applicable', 'doubt', 'passed', 'doubt']);
    expect(wordsOf(judged(zoneOf(eriksson, 'TD3'), printed))).toEqual([
      ...['not_applicable', 'passed', 'passed', 'passed'],
    ]);
  });

  test('is told to who shows it as a document, and one that cannot be read is not', () => {
    for (const width of [44, 36] as const) {
      const a = places(visaOf({ ...eriksson, expiry: '2020-01-01' }, width));
      expect(impressionOf(a, today)).toBe('visa');
      const blurred = a.with(1, Array.from('X'.repeat(width)));
      expect(impressionOf(blurred, today)).toBe('unreadable');
    }
    expect(impressionOf(places(zoneOf(eriksson, 'TD3')), today)).toBe('fine');
  });
});
