import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { alphabet, cell, columns } from './ocr-b.ts';

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
