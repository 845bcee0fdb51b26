import { redrawn } from './grey.ts';
import { cell } from './ocr-b.ts';

/** The sizes in pixels at which a glyph is compared with the picture. A comparison at the coarse size is faster. */
export const coarse = { width: 8, height: 10 } as const;
export const fine = { width: 16, height: 20 } as const;
export type Detail = typeof coarse | typeof fine;

export type Templates = { coarse: Float32Array[]; fine: Float32Array[] };

export const templatesOf = (glyphs: Uint8Array<ArrayBuffer>[]): Templates => ({
  coarse: glyphs.map((glyph) => template(glyph, coarse)),
  fine: glyphs.map((glyph) => template(glyph, fine)),
});

/** A glyph in few pixels, as a vector with mean 0 and length 1. The scalar product of two such vectors is their correlation. */
function template(glyph: Uint8Array<ArrayBuffer>, { width, height }: Detail): Float32Array {
  const small = redrawn({ pixels: glyph, ...cell }, { width, height }, (x, y) => [
    (x * cell.width) / width,
    (y * cell.height) / height,
  ]);
  const values = Float32Array.from(small.pixels);
  normalise(values, 0, values.length, 0);
  return values;
}

/** Normalises a part of `values` to mean 0 and length 1, or to all zeros if its standard deviation is below `least`. */
export function normalise(values: Float32Array, from: number, to: number, least: number): void {
  let sum = 0;
  let squares = 0;
  for (let i = from; i < to; i++) {
    const value = values[i] ?? 0;
    sum += value;
    squares += value * value;
  }
  const mean = sum / (to - from);
  const length = Math.sqrt(Math.max(squares - sum * mean, 0));
  const factor = length < Math.max(least * Math.sqrt(to - from), 1e-6) ? 0 : 1 / length;
  for (let i = from; i < to; i++) values[i] = ((values[i] ?? 0) - mean) * factor;
}
