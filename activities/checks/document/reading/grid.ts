import { type Grey, sample } from './grey.ts';
import { cell } from './ocr-b.ts';
import { type Detail, normalise } from './templates.ts';

/**
 * The positions of the characters of a line, in pixels of the strip around the line. A place is counted by `u`, which runs from -1 at
 * the left end of the line to 1 at its right end. A picture taken by a hand and a bent page make the places uneven.
 */
export type Grid = {
  /** The number of places. A place contains one character. */
  count: number;
  /** The middle of a place, as polynomials of `u`. The first number is the middle of the row. */
  xs: readonly number[];
  ys: readonly number[];
  /** The height of a place, relative to the usual height for the mean pitch. Less than 1 if the page leans back. */
  tall: number;
  /** How much higher than the mean the last place is, as a share. It is not 0 if one end of the row is nearer to the camera. */
  taper: number;
  /** The slant of vertical strokes, as the horizontal shift per pixel of height, and how much more it is at the last place. */
  lean: number;
  fan: number;
};

/** A place is blank if its contrast is lower than this share of the usual contrast in the row. */
const blankBelow = 0.3;

export const polynomial = (factors: readonly number[], u: number): number =>
  factors.reduceRight((sum, factor) => sum * u + factor, 0);

/** Where a place lies between the ends of a row, from -1 to 1. */
export const partOf = (count: number, place: number): number => (2 * place + 1) / count - 1;

/**
 * Returns a point of the strip. `right` and `down` are distances from the middle of a place. `right` is in places, and `down` is in
 * heights of a glyph.
 */
export function pointOf(grid: Grid, place: number, right: number, down: number): [number, number] {
  const u = partOf(grid.count, place + right);
  const depth = down * heightOf(grid) * (1 + grid.taper * u);
  return [polynomial(grid.xs, u) + (grid.lean + grid.fan * u) * depth, polynomial(grid.ys, u) + depth];
}

/** The mean pitch in pixels: the row without its outer half places, divided by the steps between them. */
export const pitchOf = ({ xs, count }: Grid): number => (2 * ((xs[1] ?? 0) + (xs[3] ?? 0))) / count;

/** The height of a glyph in the middle of the row, in pixels. */
export const heightOf = (grid: Grid): number => (pitchOf(grid) * grid.tall * cell.height) / cell.width;

/** The mean fit of all places, from 0 to 1. */
export function fitOf(grey: Grey, grid: Grid, detail: Detail, templates: Float32Array[]): number {
  const fits = placeFits(grey, grid, detail, templates);
  return fits.reduce((sum, fit) => sum + fit, 0) / fits.length;
}

/** For every place, the fit of the glyph that fits best, from 0 to 1. */
export function placeFits(grey: Grey, grid: Grid, detail: Detail, templates: Float32Array[]): number[] {
  const patches = patchesOf(grey, grid, detail);
  const size = detail.width * detail.height;
  return Array.from({ length: grid.count }, (_, place) => {
    let best = 0;
    for (const glyph of templates) best = Math.max(best, product(patches, place * size, glyph));
    return best;
  });
}

/** The fit of a glyph in the place whose pixels start at `from`. */
export function product(patches: Float32Array, from: number, glyph: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < glyph.length; i++) sum += (patches[from + i] as number) * (glyph[i] as number);
  return sum;
}

/** The pixels of all places, normalised like the templates. */
export function patchesOf(grey: Grey, grid: Grid, { width, height }: Detail): Float32Array {
  const size = width * height;
  const patches = new Float32Array(grid.count * size);
  for (let place = 0; place < grid.count; place++)
    for (let row = 0; row < height; row++) {
      const [left, leftLevel] = pointOf(grid, place, 0.5 / width - 0.5, (row + 0.5) / height - 0.5);
      const [right, rightLevel] = pointOf(grid, place, 0.5 - 0.5 / width, (row + 0.5) / height - 0.5);
      for (let column = 0; column < width; column++) {
        const part = column / (width - 1);
        patches[place * size + row * width + column] = sample(
          grey,
          left + (right - left) * part - 0.5,
          leftLevel + (rightLevel - leftLevel) * part - 0.5,
        );
      }
    }
  normaliseAll(patches, size);
  return patches;
}

/** Normalises patches of this size one by one. One with much less contrast than the usual one becomes blank. */
export function normaliseAll(patches: Float32Array, size: number): void {
  const least = blankBelow * usualContrast(patches, size);
  for (let from = 0; from < patches.length; from += size) normalise(patches, from, from + size, least);
}

/** The usual contrast is the median of the standard deviations of all places. */
function usualContrast(patches: Float32Array, size: number): number {
  const deviations = Array.from({ length: patches.length / size }, (_, place) => {
    let sum = 0;
    let squares = 0;
    for (let i = place * size; i < (place + 1) * size; i++) {
      const value = patches[i] as number;
      sum += value;
      squares += value * value;
    }
    return Math.sqrt(Math.max(squares / size - (sum / size) ** 2, 0));
  });
  return deviations.toSorted((a, b) => a - b)[deviations.length >> 1] ?? 0;
}
