import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { takePicture } from '#platform/pictures/redraw.ts';
import { documentReader } from '#test/support/examiners/document-reader.ts';
import { drawn, type Specimen } from '#test/support/specimens/card.ts';
import { eriksson, people } from '#test/support/specimens/people.ts';
import { photograph } from '#test/support/specimens/photograph.ts';
import { variants } from '#test/support/specimens/variants.ts';
import { tampered, zoneOf } from '#test/support/specimens/zone.ts';
import { allInDoubt, allPassed, checksBy } from './words.ts';

const reader = await documentReader();
const { said, saidOf } = checksBy(reader);
const somebodyElse = people[5] ?? eriksson;

afterAll(() => reader.close());

/** Returns the JPEG that production would store for this picture. Throws if production would refuse the picture. */
async function upload(bytes: Buffer): Promise<Buffer> {
  const picture = await takePicture(bytes, 'document');
  if ('fault' in picture) throw new Error(picture.fault);
  return picture.jpeg;
}

describe('a document as it should be passes', () => {
  test.each(['straight on', 'leaning back', 'out of focus by 1.5 pixels'] as const)(
    'passport, %s',
    async (variant) => {
      await expect(saidOf({ format: 'TD3', person: eriksson }, variants[variant])).resolves.toEqual(
        allPassed,
      );
    },
  );

  test('identity card, each side another way up', async () => {
    const card: Specimen = { format: 'TD1', person: somebodyElse };
    await expect(saidOf(card, { turn: 180 }, { turn: 90 })).resolves.toEqual(allPassed);
  });

  test('identity card of the older, larger format', async () => {
    await expect(saidOf({ format: 'TD2', person: eriksson }, { turn: -4 })).resolves.toEqual(allPassed);
  });

  test('when it was taken as an upload', async () => {
    const { front } = drawn({ format: 'TD3', person: eriksson });
    const bytes = await sharp(await photograph(front, { turn: 2 }))
      .rotate(90)
      .withMetadata({ orientation: 8 })
      .jpeg()
      .toBuffer();
    await expect(said(await upload(bytes))).resolves.toEqual(allPassed);
  });
});

describe('a document as it should be is never failed', () => {
  test.each(['out of focus by 5 pixels', 'a lamp over the zone'] as const)('%s', async (variant) => {
    const words = await saidOf({ format: 'TD3', person: eriksson }, variants[variant]);
    expect(Object.values(words)).not.toContain('failed');
  });
});

describe('a wrong document never passes', () => {
  const sights = ['straight on', 'a lamp over the print'] as const;

  test.each(sights)('a zone whose check digit does not hold, %s', async (variant) => {
    const zone = tampered(zoneOf(eriksson, 'TD3'), 1, 13, '6');
    const { digits, consistency } = await saidOf(
      { format: 'TD3', person: eriksson, zone },
      variants[variant],
    );
    expect(digits).toBe('failed');
    expect(consistency).toBe('doubt');
  });

  test.each(sights)("another person's print, %s", async (variant) => {
    const zone = zoneOf(eriksson, 'TD3');
    const { digits, consistency } = await saidOf(
      { format: 'TD3', person: somebodyElse, zone },
      variants[variant],
    );
    expect(digits).toBe('passed');
    expect(consistency).toBe('doubt');
  });

  test("the front of one card and the back of another person's", async () => {
    const [front, back] = [
      await photograph(drawn({ format: 'TD1', person: eriksson }).front),
      await photograph(drawn({ format: 'TD1', person: somebodyElse }).back ?? raise()),
    ];
    await expect(said(front, back)).resolves.toMatchObject({ digits: 'passed', consistency: 'doubt' });
  });

  test('a document that expired yesterday, where documents are judged', async () => {
    const person = { ...eriksson, expiry: '2026-11-21' };
    const picture = await photograph(drawn({ format: 'TD3', person }).front);
    const lateOnItsDay = new Date('2026-11-21T22:59:59Z');
    const justAfter = new Date('2026-11-21T23:00:00Z');
    await expect(said(picture, null, lateOnItsDay)).resolves.toEqual(allPassed);
    await expect(said(picture, null, justAfter)).resolves.toEqual({ ...allPassed, expiry: 'failed' });
  });
});

describe('a picture without text leaves every check in doubt', () => {
  test.each([
    [
      'a table without a document',
      () => photograph({ pixels: new Uint8Array(1), width: 1, height: 1 }, { share: 0.01 }),
    ],
    ['a card without a zone', () => photograph(drawn({ format: 'TD1', person: eriksson }).front)],
    ['bytes that are no picture', async () => Buffer.from('not a picture')],
    ['no bytes at all', async () => Buffer.alloc(0)],
  ])('%s', async (_, picture) => {
    await expect(said(await picture())).resolves.toEqual(allInDoubt);
  });
});

function raise(): never {
  throw new Error('a card has a back');
}
