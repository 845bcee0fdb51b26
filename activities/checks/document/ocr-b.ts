import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/**
 * The glyphs of OCR-B, in which ICAO Doc 9303 has machine-readable zones printed. Drawn by
 * `test/support/specimens/draw-glyphs.ts` from the font of Norbert Schwarz and Matthew Skala (Debian's package fonts-ocr-b),
 * public domain and "freely use, modify and/or distribute, without limitation".
 */
export const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<';

/** What a glyph takes up, in pixels: as wide as the font's pitch. */
export const cell = { width: 48, height: 62 } as const;
export const columns = 16;

/** One after the other, in the order of the alphabet: `cell.height` rows of `cell.width` grey values, white is 255. */
export async function readGlyphs(): Promise<Uint8Array[]> {
  const file = await readFile(join(import.meta.dirname, 'ocr-b.png'));
  return Promise.all(
    Array.from(alphabet, (_, index) =>
      sharp(file)
        .extract({
          left: (index % columns) * cell.width,
          top: Math.floor(index / columns) * cell.height,
          ...cell,
        })
        .extractChannel(0)
        .raw()
        .toBuffer(),
    ),
  );
}
