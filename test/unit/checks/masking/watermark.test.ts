import { describe, expect, test } from 'vitest';
import type { Colour } from '#activities/checks/document/masking/colour.ts';
import { type Watermark, watermarked, wordsOf } from '#activities/checks/document/masking/watermark.ts';

const plain: Watermark = {
  organisation: 'Voorbeeld Makelaars',
  purpose: 'huurcontract',
  date: '2026-11-23',
  language: 'nl',
};
const seen = (watermark: Partial<Watermark>) =>
  wordsOf({ ...plain, ...watermark }).replaceAll(/[\u2068\u2069]/g, '');

test('the words say who has the copy, for what and since when', () => {
  expect(seen({})).toBe('kopie voor Voorbeeld Makelaars (huurcontract) op 2026-11-23');
  expect(seen({ language: 'en' })).toBe('copy for Voorbeeld Makelaars (huurcontract) on 2026-11-23');
  expect(seen({ language: 'en', purpose: null })).toBe('copy for Voorbeeld Makelaars on 2026-11-23');
});

test.each([
  ['a line break', 'A\n\u0000B', 'A B'],
  ['a change of direction', 'A\u202EB', 'AB'],
  ['an invisible character', 'A\u200B\u2060B', 'AB'],
  ['a picture', 'A 🎉🏳️‍🌈 B1', 'A B1'],
  ['half a character', 'A\uD800B', 'AB'],
  ['a pile of accents', `x${'\u0316'.repeat(50)}B`, 'x\u0316\u0316B'],
])('a name loses %s', (_, organisation, kept) => {
  expect(seen({ organisation }).normalize('NFC')).toContain(`voor ${kept.normalize('NFC')} (`);
});

test('a long name is cut', () => {
  expect(seen({ organisation: 'x'.repeat(200) })).toContain(`voor ${'x'.repeat(80)}… (`);
});

const blank = (level: number, width = 900, height = 600): Colour => ({
  pixels: Buffer.alloc(width * height * 3, level),
  width,
  height,
});

/** The share of the pixels that a watermark changed. */
async function markedShare(picture: Colour, watermark: Partial<Watermark>): Promise<number> {
  const { pixels } = await watermarked(picture, { ...plain, ...watermark });
  let changed = 0;
  for (let i = 0; i < pixels.length; i += 3) if (pixels[i + 1] !== picture.pixels[i + 1]) changed++;
  return changed / (pixels.length / 3);
}

describe('the watermark has ink', () => {
  test.each([
    ['on paper', 230],
    ['on a cover', 24],
  ])('%s', async (_, level) => {
    expect(await markedShare(blank(level), {})).toBeGreaterThan(0.02);
  });

  test.each([
    ['markup', '<span size="1">&</span><script>'],
    ['an unclosed tag', '</span><b'],
    ['signs of markup alone', '<>&"\''],
    ['letters from right to left', 'שלום مرحبا'],
    ['200 characters', 'W'.repeat(200)],
    ['nothing', ''],
    ['a character that no font has', '\u{1F9FF}\uE000'],
  ])('for a name of %s', async (_, organisation) => {
    expect(await markedShare(blank(230), { organisation, purpose: organisation })).toBeGreaterThan(0.01);
  });

  test('in every part of the picture', async () => {
    const [width, side] = [1600, 400];
    const { pixels } = await watermarked(blank(230, width, 1200), plain);
    const inked = new Map<string, number>();
    for (let index = 0; index < pixels.length / 3; index++) {
      const [x, y] = [index % width, Math.floor(index / width)];
      const part = `${Math.floor(x / side)} ${Math.floor(y / side)}`;
      if (pixels[3 * index + 1] !== 230) inked.set(part, (inked.get(part) ?? 0) + 1);
    }
    expect(inked.size).toBe(12);
    expect(Math.min(...inked.values())).toBeGreaterThan(500);
  });

  test('in a small picture and in a large one', async () => {
    expect(await markedShare(blank(230, 200, 100), {})).toBeGreaterThan(0.005);
    expect(await markedShare(blank(230, 2400, 1800), {})).toBeGreaterThan(0.02);
  });
});

test('a mark never hides what is below it', async () => {
  const { pixels } = await watermarked(blank(230), plain);
  expect(pixels.every((value, index) => index % 3 !== 1 || value > 90)).toBe(true);
});
