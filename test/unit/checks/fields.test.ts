import { expect, test } from 'vitest';
import { fieldsOf as fieldsOn } from '#activities/checks/document/judging/fields.ts';
import type { PrintLine } from '#activities/checks/document/judging/readings.ts';
import { placedFields } from '#activities/checks/document/placed-fields.ts';
import { ReadDocument } from '#contract/documents/read-fields.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { licenceLineOf, tampered, zoneOf } from '#test/support/specimens/zone.ts';

const fieldsOf = (readings: Parameters<typeof fieldsOn>[0]) => fieldsOn(readings, '2026-11-28');

const zoneOfLines = (a: readonly string[], b: readonly string[] = a) => ({
  a: a.map((line) => Array.from(line)),
  b: b.map((line) => Array.from(line)),
  certainty: 0.97,
});

/** Lines of print below each other, each a height apart. */
const printOf = (...texts: string[]): PrintLine[] =>
  texts.map((text, at) => ({ text, side: 0, left: 0, right: 300, middle: 40 * at, height: 30 }));

const passport = zoneOf(eriksson, 'TD3');
const valuesOf = (fields: ReturnType<typeof fieldsOf>) =>
  Object.fromEntries(fields.map(({ field, value }) => [field, value]));

test('a passport says who its holder is, and never its personal number', () => {
  const fields = fieldsOf({ zone: zoneOfLines(passport), print: [] });
  expect(valuesOf(fields)).toEqual({
    ...{ surname: 'ERIKSSON', given_names: 'ANNA MARIA', document_number: 'L898902C3' },
    ...{ birth_date: '12-08-74', expiry_date: expect.stringMatching(/^\d\d-\d\d-\d\d$/), sex: 'F' },
    ...{ nationality: 'UTO', issuing_state: 'UTO' },
  });
  expect(JSON.stringify(fields)).not.toContain('ZE184226B');
});

test.each(['TD1', 'TD2', 'TD3'] as const)('each value of a %s is at its own places of the zone', (format) => {
  const zone = zoneOf(eriksson, format);
  const fields = fieldsOf({ zone: zoneOfLines(zone), print: [] });
  for (const { field, at, value } of fields) {
    const text = (zone[at.line] ?? '').slice(at.start, at.end);
    const plain = text.replaceAll('<', ' ').trim();
    const isDate = field === 'birth_date' || field === 'expiry_date';
    expect([field, isDate ? plain.replace(/(..)(..)(..)/, '$3-$2-$1') : plain]).toEqual([field, value]);
  }
});

test('a value says whether the print has it, and where', () => {
  const print = printOf('Surname', 'ERIKSSON', 'Given names', 'ANNA MARLA', 'Date of birth', '12 AUG 1974');
  const fields = fieldsOf({ zone: zoneOfLines(passport), print });
  const textsOf = (name: string) =>
    fields.find(({ field }) => field === name)?.print?.map(({ text }) => text);
  expect(textsOf('surname')).toEqual(['ERIKSSON']);
  expect(textsOf('given_names')).toEqual([]);
  expect(textsOf('birth_date')).toEqual(['12 AUG 1974']);
  expect(textsOf('sex')).toBeUndefined();
});

test('another century in print is not the date of the zone', () => {
  const printed = (date: string) =>
    fieldsOf({ zone: zoneOfLines(passport), print: printOf('Date of birth', date) }).find(
      ({ field }) => field === 'birth_date',
    )?.print?.length;
  expect(printed('12 AUG 1974')).toBe(1);
  expect(printed('12 AUG 1874')).toBe(0);
});

test('a value on which the two readers differ says so, and no other one does', () => {
  const zone = zoneOfLines(passport, tampered(passport, 1, 3, '1'));
  const differing = fieldsOf({ zone, print: [] }).filter(({ agreed }) => !agreed);
  expect(differing.map(({ field }) => field)).toEqual(['document_number']);
});

test('of a driving licence there is the number, and without a zone there is nothing', () => {
  const line = licenceLineOf('5094962111', '6ZVW87B78NS84');
  expect(valuesOf(fieldsOf({ zone: zoneOfLines([line]), print: [] }))).toEqual({
    ...{ document_number: '5094962111', issuing_state: 'NLD' },
  });
  expect(fieldsOf({ zone: undefined, print: printOf('Surname', 'ERIKSSON') })).toEqual([]);
});

test('places are shares of the picture, whatever its size', () => {
  const print = printOf('Surname', 'ERIKSSON');
  const [, value] = print as [PrintLine, PrintLine];
  const fields = fieldsOf({ zone: zoneOfLines(passport), print }).filter(({ field }) => field === 'surname');
  const row = {
    at: (place: number, level: number): [number, number] => [100 + 10 * place, 900 + 20 * level],
  };
  const rows = [row, row] as never;
  const line = { x: 200, y: 100, angle: 0, length: 100, height: 20 };
  const { ratios, fields: placed } = placedFields(fields, {
    sizes: [{ width: 2_000, height: 1_000 }],
    zone: { side: 0, rows },
    print: new Map([[value, line]]),
  });
  expect(ratios).toEqual([2]);
  expect(placed).toEqual([
    {
      ...{ field: 'surname', value: 'ERIKSSON', agreed: true, inPrint: true },
      zone: {
        side: 'front',
        corners: [
          [0.0725, 0.885],
          [0.1125, 0.885],
          [0.1125, 0.915],
          [0.0725, 0.915],
        ],
      },
      print: [
        {
          side: 'front',
          corners: [
            [0.0725, 0.09],
            [0.1275, 0.09],
            [0.1275, 0.11],
            [0.0725, 0.11],
          ],
        },
      ],
    },
  ]);
});

test('a picture of one pixel by thousands is read as well, and has nothing', () => {
  const nothing = placedFields([], {
    sizes: [{ width: 1, height: 20_000 }],
    zone: undefined,
    print: new Map(),
  });
  expect(ReadDocument.parse(nothing)).toEqual({ ratios: [0.00005], fields: [] });
});
