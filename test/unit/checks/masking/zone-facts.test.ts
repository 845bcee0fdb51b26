import { expect, test } from 'vitest';
import { zoneFacts } from '#activities/checks/document/masking/zone-facts.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { licenceLineOf, tampered, visaOf, zoneOf } from '#test/support/specimens/zone.ts';

const read = (lines: readonly string[]) =>
  lines.map((line) => Array.from(line.padEnd(lines[1]?.length ?? 0, '<')));
const facts = (a: readonly string[], b: string[][] = read(a)) =>
  zoneFacts({ a: read(a), b, certainty: 0.97 });

/** What reader B reads if it sees no filler at all. */
const withoutFillers = (lines: readonly string[]) =>
  read(lines).map((line) => line.map((character) => (character === '<' ? '' : character)));

const german = ['P<D<<MUSTERMANN<<ERIKA', 'C01X0006H1D<<6408125F3202285<<<<<<<<<<<<<<<6'];
const dutch = zoneOf({ ...eriksson, nationality: 'NLD' }, 'TD3');

test('fillers that reader B does not see move nothing: a German document is not Dutch', () => {
  const expected = { isDutch: false, number: 'C01X0006H', dates: ['640812', '320228'], bsns: [] };
  expect(facts(german)).toEqual(expected);
  expect(facts(german, withoutFillers(german))).toEqual(expected);
});

test('a document may be Dutch if the readers do not agree on its state, or read nearly the Dutch one', () => {
  const mayBeDutch = (a: readonly string[], b?: string[][]) => facts(a, b)?.isDutch;
  expect(mayBeDutch(dutch, withoutFillers(dutch))).toBe(true);
  expect(mayBeDutch(german, read(tampered(german, 0, 2, 'O')))).toBe(true);
  expect(mayBeDutch(german, read(tampered([...german], 1, 10, 'N')))).toBe(true);
  expect(mayBeDutch(zoneOf({ ...eriksson, nationality: 'NLO' }, 'TD1'))).toBe(true);
  expect(mayBeDutch(zoneOf({ ...eriksson, nationality: 'UTO' }, 'TD1'))).toBe(false);
});

test('the number is the whole one, where the zone splits it', () => {
  const older = ['IDFRABERTHIER', '8806923102858CORINNE<<<<<<<6512068F6'];
  expect(facts(older)).toMatchObject({ number: '880692310285', dates: ['651206'], isDutch: false });
  const belgian = ['IDBEL000590696<1015', '9401013F2710017BEL000101123453', 'SPECIMEN<<SPECIMEN'];
  expect(facts(belgian)).toMatchObject({ number: '000590696101', isDutch: false });
});

test('a zone whose check digits do not hold says nothing', () => {
  expect(facts(tampered(dutch, 1, 0, 'M'))).toBeUndefined();
  expect(facts(dutch, read(tampered(dutch, 1, 0, 'M')))).toBeUndefined();
});

test('a visa and a driving licence say nothing, so their copies lose all that may be a number', () => {
  expect(facts(visaOf(eriksson, 44))).toBeUndefined();
  const line = [Array.from(licenceLineOf('5094962111', '6ZVW87B78NS84'))];
  expect(zoneFacts({ a: line, b: line, certainty: 0.97 })).toBeUndefined();
});
