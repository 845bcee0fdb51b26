import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { alphabet, cell } from '#activities/checks/document/reading/ocr-b.ts';
import { columns, readGlyphs } from './glyphs.ts';

/** Grey pixels, row by row. */
export type Canvas = { pixels: Uint8Array; width: number; height: number };

export function canvas(width: number, height: number, at: (x: number, y: number) => number): Canvas {
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) pixels[y * width + x] = at(x, y);
  return { pixels, width, height };
}

/** Returns the grey value between four pixels. Outside the canvas it is the value at the edge. */
export function sample({ pixels, width, height }: Canvas, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, down] = [x - left, y - top];
  const at = (column: number, row: number) => pixels[clamp(row, height) * width + clamp(column, width)] ?? 0;
  return (
    (at(left, top) * (1 - right) + at(left + 1, top) * right) * (1 - down) +
    (at(left, top + 1) * (1 - right) + at(left + 1, top + 1) * right) * down
  );
}

const clamp = (index: number, length: number) => Math.min(Math.max(index, 0), length - 1);

/** A glyph in its box. `advance` is the distance to the next glyph, as a share of the height of the box. */
type Glyph = { place: Canvas; advance: number };
export type Lettering = ReadonlyMap<string, Glyph>;

export async function ocrb(): Promise<Lettering> {
  const glyphs = await readGlyphs();
  const advance = cell.width / cell.height;
  return new Map(
    Array.from(alphabet, (character, index) => [
      character,
      { place: { pixels: glyphs[index] ?? new Uint8Array(), ...cell }, advance },
    ]),
  );
}

export const sansAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz/.,-';
export const sansCell = { width: 48, height: 52 } as const;

/** Glyphs drawn from Liberation Sans (SIL Open Font License 1.1), so that specimens need no font of the machine. */
export async function sans(): Promise<Lettering> {
  const file = readFileSync(join(import.meta.dirname, 'sans.png'));
  const { data, info } = await sharp(file).extractChannel(0).raw().toBuffer({ resolveWithObject: true });
  const glyphs = Array.from(sansAlphabet, (character, index): [string, Glyph] => {
    const [left, top] = [(index % columns) * sansCell.width, Math.floor(index / columns) * sansCell.height];
    const place = canvas(
      sansCell.width,
      sansCell.height,
      (x, y) => data[(top + y) * info.width + left + x] ?? 0,
    );
    return [character, { place, advance: (inkWidth(place) + 4) / sansCell.height }];
  });
  const blank = { place: canvas(1, 1, () => 255), advance: 0.25 };
  return new Map([...glyphs, [' ', blank]]);
}

function inkWidth({ pixels, width }: Canvas): number {
  let last = 0;
  for (const [index, pixel] of pixels.entries()) if (pixel < 128) last = Math.max(last, index % width);
  return last;
}

type Ink = { lettering: Lettering; height: number; dark: number };

/** Writes from the upper left corner. Ink only darkens the pixels. */
export function write(
  on: Canvas,
  text: string,
  left: number,
  top: number,
  { lettering, height, dark }: Ink,
): void {
  let pen = left;
  for (const character of text) {
    const glyph = lettering.get(character);
    if (glyph === undefined) throw new Error(`no glyph for ${character}`);
    const scale = glyph.place.height / height;
    const wide = Math.min(glyph.place.width / scale, 2 * height);
    for (let y = Math.floor(top); y < top + height; y++)
      for (let x = Math.floor(pen); x < pen + wide; x++) {
        const cover =
          1 - sample(glyph.place, (x - pen + 0.5) * scale - 0.5, (y - top + 0.5) * scale - 0.5) / 255;
        const index = y * on.width + x;
        on.pixels[index] = Math.round((on.pixels[index] ?? 0) * (1 - cover) + dark * cover);
      }
    pen += glyph.advance * height;
  }
}
