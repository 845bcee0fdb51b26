import { afterAll, describe, expect, test } from 'vitest';
import type { LookResult, PictureKind } from '#contract/enums.ts';
import { documentReader } from '#test/support/examiners/document-reader.ts';
import { pictureLooker } from '#test/support/examiners/picture-looker.ts';
import { type KindName, kinds } from '#test/support/specimens/field/kinds.ts';
import { randomFrom } from '#test/support/specimens/photograph.ts';
import { checksBy } from './words.ts';

const reader = await documentReader();
const looker = await pictureLooker();
const { said } = checksBy(reader);
afterAll(async () => {
  await reader.close();
  await looker.close();
});

const picturesOf = (kind: KindName) => kinds[kind].pictures(randomFrom(20_261_121));
const licence = await picturesOf('driving licence, within 9 degrees');
const visa = await picturesOf('visa of 44 places, whose print bears it out');
const digitsAlone = { integrity: 'not_applicable', expiry: 'doubt', digits: 'passed', consistency: 'doubt' };

describe('only the check digits pass of', () => {
  test.each([
    ['a Dutch driving licence', licence],
    ['a visa whose print bears it out', visa],
  ])('%s', async (_, { front, back }) => {
    await expect(said(front, back)).resolves.toEqual(digitsAlone);
  });
});

test('a code with the number of another licence takes the confidence that front and back belong together', async () => {
  const confidenceOf = async (kind: KindName) => {
    const { checks } = await reader.check(await picturesOf(kind), new Date('2026-11-21T12:00:00Z'));
    return checks[3]?.confidence;
  };
  expect(await confidenceOf('driving licence, within 9 degrees')).toBeGreaterThan(0);
  expect(await confidenceOf('driving licence, another number in its code')).toBe(0);
});

describe('a look at', () => {
  const { front, back } = licence;

  test.each<[what: string, kind: PictureKind, jpeg: Buffer | null, found: LookResult]>([
    ['the front of a driving licence', 'card_front', front, 'fine'],
    ['its back, which has no lines but their code', 'card_back', back, 'fine'],
    ['its front instead of its back', 'card_back', front, 'wrong_side'],
    ['its back instead of its front', 'card_front', back, 'wrong_side'],
    ['its front instead of a passport', 'passport_page', front, 'other_document'],
    ['a visa instead of a passport', 'passport_page', visa.front, 'other_document'],
  ])('%s says so', async (_, kind, jpeg, found) => {
    const today = new Date('2026-11-21T12:00:00Z');
    expect(await looker.look(kind, jpeg ?? Buffer.alloc(0), today)).toBe(found);
  });
});
