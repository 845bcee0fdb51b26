import { type Grey, sample } from './grey.ts';
import { normaliseAll, product } from './grid.ts';
import { coarse } from './templates.ts';

/** The places of a row that were found one after the other: the middle of each in pixels of the strip, and its fit from 0 to 1. */
export type Chain = { xs: number[]; ys: number[]; fits: number[]; fit: number };

/** How far from the middle of the strip places are searched, up and down, in shares of the pitch. */
const levels = [-0.5, -0.25, 0, 0.25, 0.5];
/** The least and the greatest distance of two neighbouring places, in shares of the pitch of the strip. */
const [nearest, farthest] = [0.8, 1.22];
/** What an uneven distance costs. It keeps blank places from wandering. */
const unevenCost = 0.6;

/**
 * Finds a chain of `count` places in a strip, so that the sum of their fits is the highest. Neighbouring places may be nearer or farther
 * than the pitch, so neither the exact pitch nor its change along the row has to be known before.
 */
export function findChain(
  grey: Grey,
  count: number,
  pitch: number,
  glyphHeight: number,
  templates: Float32Array[],
): Chain {
  const { fits, ys } = fitsAlong(grey, pitch, glyphHeight, templates);
  const steps = distances(pitch);
  const came: Int16Array[] = [];
  let sums = Float32Array.from(fits);
  for (let place = 1; place < count; place++) {
    const [next, from] = extended(sums, fits, steps);
    came.push(from);
    sums = next;
  }
  let x = sums.indexOf(sums.reduce((best, sum) => Math.max(best, sum), Number.NEGATIVE_INFINITY));
  const places = [x];
  for (const from of came.toReversed()) {
    x = from[x] ?? 0;
    places.push(x);
  }
  places.reverse();
  const found = places.map((place) => fits[place] ?? 0);
  return {
    xs: places.map((place) => place + 0.5),
    ys: places.map((place) => ys[place] ?? 0),
    fits: found,
    fit: found.reduce((sum, fit) => sum + fit, 0) / count,
  };
}

function distances(pitch: number): { far: number; cost: number }[] {
  const first = Math.ceil(nearest * pitch);
  return Array.from({ length: Math.floor(farthest * pitch) - first + 1 }, (_, index) => {
    const far = first + index;
    return { far, cost: unevenCost * (far / pitch - 1) ** 2 };
  });
}

/** The best sum of a chain that is one place longer, for each end, and the end before. */
function extended(
  sums: Float32Array,
  fits: Float32Array,
  steps: readonly { far: number; cost: number }[],
): [Float32Array<ArrayBuffer>, Int16Array] {
  const next = new Float32Array(sums.length).fill(Number.NEGATIVE_INFINITY);
  const from = new Int16Array(sums.length);
  for (let x = 0; x < sums.length; x++)
    for (const { far, cost } of steps) {
      if (far > x) continue;
      const sum = (sums[x - far] as number) + (fits[x] as number) - cost;
      if (sum > (next[x] as number)) {
        next[x] = sum;
        from[x] = x - far;
      }
    }
  return [next, from];
}

/** For every column of the strip, the fit of the glyph that fits best with its middle there, and the level at which it does. */
function fitsAlong(grey: Grey, pitch: number, glyphHeight: number, templates: Float32Array[]) {
  const size = coarse.width * coarse.height;
  const fits = new Float32Array(grey.width);
  const ys = new Float32Array(grey.width);
  for (const level of levels) {
    const y = grey.height / 2 + level * pitch;
    const patches = patchesAlong(grey, y, pitch, glyphHeight);
    for (let x = 0; x < grey.width; x++)
      for (const glyph of templates) {
        const fit = product(patches, x * size, glyph);
        if (fit > (fits[x] as number)) [fits[x], ys[x]] = [fit, y];
      }
  }
  return { fits, ys };
}

function patchesAlong(grey: Grey, y: number, pitch: number, glyphHeight: number): Float32Array {
  const { width, height } = coarse;
  const patches = new Float32Array(grey.width * width * height);
  let at = 0;
  for (let x = 0; x < grey.width; x++)
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++)
        patches[at++] = sample(
          grey,
          x + ((column + 0.5) / width - 0.5) * pitch,
          y + ((row + 0.5) / height - 0.5) * glyphHeight - 0.5,
        );
  normaliseAll(patches, width * height);
  return patches;
}
