import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Colour } from './colour.ts';

/** The words of a watermark. `date` is a calendar day such as `2026-11-23`. */
export type Watermark = {
  organisation: string;
  purpose: string | null;
  date: string;
  language: 'en' | 'nl';
};

/** The font is a file of a package, since a container has no fonts. */
const font = 'DejaVu Sans';
const fontFile = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'));

/** The highest number of characters of a name in the watermark. The rest is cut off. */
const nameLengthMax = 80;
/** The height of a letter, the width of a column of text and the gaps, as shares of the longest side of the picture. */
const shares = { letter: 0.016, column: 0.42, gap: 0.05 } as const;
const angle = -Math.PI / 7;
/** The share of the ink in a pixel of a letter. */
const strength = 0.5;
const darkInk = [120, 0, 20] as const;
const lightInk = [255, 225, 225] as const;
/** A pixel below this brightness gets light ink, so that the watermark is legible on covers too. */
const darkBelow = 100;

/** Writes the watermark over the whole picture, in slanted rows. */
export async function watermarked(picture: Colour, watermark: Watermark): Promise<Colour> {
  const { pixels, width, height } = picture;
  const longest = Math.max(width, height);
  const tile = await letters(wordsOf(watermark), longest);
  const gap = Math.round(shares.gap * longest);
  const [wide, high] = [tile.width + gap, tile.height + gap];
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const marked = Buffer.from(pixels);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const down = y * cos - x * sin + longest;
      const row = Math.floor(down / high);
      // Every second row is shifted, so that no straight strip stays free.
      const along = x * cos + y * sin + longest + (row % 2) * (wide / 2);
      const cover = tile.at(Math.floor(along % wide), Math.floor(down - row * high)) * strength;
      if (cover === 0) continue;
      const first = 3 * (y * width + x);
      const ink = (marked[first + 1] ?? 0) < darkBelow ? lightInk : darkInk;
      for (let plane = 0; plane < 3; plane++)
        marked[first + plane] = (marked[first + plane] ?? 0) * (1 - cover) + (ink[plane] ?? 0) * cover;
    }
  return { ...picture, pixels: marked };
}

/** The words in the language of the organisation, with names that cannot be markup. */
export function wordsOf({ organisation, purpose, date, language }: Watermark): string {
  const name = nameOf(organisation);
  const aim = purpose === null || nameOf(purpose) === '' ? '' : ` (${nameOf(purpose)})`;
  return language === 'nl' ? `kopie voor ${name}${aim} op ${date}` : `copy for ${name}${aim} on ${date}`;
}

/** Starts and ends a text that has a direction of its own, so that it does not turn the words around it. */
const [isolate, isolateEnd] = ['\u2068', '\u2069'];
const characters = new Intl.Segmenter();

/**
 * A name on one line, without invisible characters, signs that no font of letters has and piles of accents. The length is limited.
 */
function nameOf(text: string): string {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/(?![\d#*])(?:\p{Extended_Pictographic}|\p{Cf}|\p{Co}|\p{Cn}|\uFE0F|\uFFFD)/gu, '')
    .replaceAll(/(\p{M}{2})\p{M}+/gu, '$1')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
  const [...all] = characters.segment(plain);
  const kept = all.slice(0, nameLengthMax).map(({ segment }) => segment);
  if (kept.length === 0) return '';
  return `${isolate}${kept.join('')}${all.length > kept.length ? '…' : ''}${isolateEnd}`;
}

type Tile = { width: number; height: number; at(x: number, y: number): number };

/** Draws the words as one block of text. `at` is the share of ink at a pixel of it, and 0 outside. */
async function letters(words: string, longest: number): Promise<Tile> {
  const { data, info } = await sharp({
    text: {
      text: `<span weight="bold">${escaped(words)}</span>`,
      font: `${font} Bold ${Math.max(10, Math.round(shares.letter * longest))}`,
      fontfile: fontFile,
      width: Math.round(shares.column * longest),
      wrap: 'word-char',
      dpi: 72,
      rgba: true,
    },
  })
    .extractChannel('alpha')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const at = (x: number, y: number) => (x < width && y < height ? (data[y * width + x] ?? 0) / 255 : 0);
  return { width, height, at };
}

const entities: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
};

/** The renderer takes markup. A name must not become a part of it. */
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '');
