import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { alphabet, cell, columns } from './ocr-b.ts';

/** The glyphs of OCR-B in the order of `alphabet`. A glyph has `cell.height` rows of `cell.width` grey values. White is 255. */
export async function readGlyphs(): Promise<Uint8Array<ArrayBuffer>[]> {
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
        .toBuffer()
        .then((pixels) => new Uint8Array(pixels)),
    ),
  );
}
