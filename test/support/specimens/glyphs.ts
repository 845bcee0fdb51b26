import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { alphabet, cell } from '#activities/checks/document/reading/ocr-b.ts';

/**
 * `ocr-b.png` contains the glyphs of OCR-B, drawn by `draw-glyphs.ts`, with `columns` glyphs in a row. The source is the font of Norbert Schwarz
 * and Matthew Skala (Debian's package fonts-ocr-b). The font is in the public domain, for everybody to "freely use, modify and/or distribute,
 * without limitation".
 */
export const columns = 16;

/** The glyphs of OCR-B in the order of `alphabet`. A glyph has `cell.height` rows of `cell.width` grey values. White is 255. */
export async function readGlyphs(): Promise<Uint8Array<ArrayBuffer>[]> {
  const file = await readFile(join(import.meta.dirname, 'ocr-b.png'));
  const { data, info } = await sharp(file).extractChannel(0).raw().toBuffer({ resolveWithObject: true });
  return Array.from(alphabet, (_, index) => {
    const [left, top] = [(index % columns) * cell.width, Math.floor(index / columns) * cell.height];
    const glyph = new Uint8Array(cell.width * cell.height);
    for (let row = 0; row < cell.height; row++) {
      const from = (top + row) * info.width + left;
      glyph.set(data.subarray(from, from + cell.width), row * cell.width);
    }
    return glyph;
  });
}
