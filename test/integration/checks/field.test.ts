import { afterAll, expect, test } from 'vitest';
import { documentReader } from '#test/support/examiners/document-reader.ts';
import { bsnSpecimen } from '#test/support/specimens/bsn/specimens.ts';
import { type KindName, kinds } from '#test/support/specimens/field/kinds.ts';
import { randomFrom } from '#test/support/specimens/photograph.ts';
import { allPassed, checksBy } from './words.ts';

const reader = await documentReader();
const { said } = checksBy(reader);
afterAll(() => reader.close());

async function saidOf(kind: KindName) {
  const random = randomFrom(20_261_121);
  const { front, back } = await kinds[kind].pictures(random);
  return said(front, back);
}

test.each(['hand-held, 9 to 15 degrees', 'about the short edge, 6 to 25', 'bent, 0.4 to 3 mm'] as const)(
  'a document as it should be passes: %s',
  async (kind) => {
    await expect(saidOf(kind)).resolves.toEqual(allPassed);
  },
);

// Dutch documents. The first two and the last lie on their side. The numbers are those of `specimens.ts`.
test.each([
  ['a passport of 2011 with small print', 7],
  ['a passport with its back', 44],
  ['a passport of 2014, straight', 1],
  ['a passport of 2011, of low quality', 14],
])('a Dutch document is borne out by its print: %s', async (_, seed) => {
  const { front, back } = await bsnSpecimen(seed);
  await expect(said(front, back)).resolves.toMatchObject({ consistency: 'passed' });
});

test.each([
  'one letter of the surname',
  'the surname as a place',
  'one letter of a given name',
  'print: a name added behind a gap, hand-held',
  'print: a name added behind a gap, flat',
  'another century',
  'text beside bears out the zone',
  'another zone beside',
  'sheet of paper',
  'two passports',
] as const)('what is printed bears out nothing: %s', async (kind) => {
  await expect(saidOf(kind)).resolves.toMatchObject({ consistency: 'doubt' });
});

test.each([
  'photograph of a screen',
  'photograph of a copy',
  'photograph of a print in dots',
  'sheet of paper with labels',
] as const)('what is read may be right, but the picture is not of the document: %s', async (kind) => {
  await expect(saidOf(kind)).resolves.toMatchObject({ integrity: 'doubt' });
});

test('fine lines under the print are no screen', async () => {
  await expect(saidOf('fine lines under the print')).resolves.toMatchObject({ integrity: 'not_applicable' });
});
