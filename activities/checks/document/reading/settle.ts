import type { Chain } from './chain.ts';
import type { Grey } from './grey.ts';
import { fitOf, type Grid, partOf, patchesOf, pitchOf, polynomial, product } from './grid.ts';
import { coarse, type Detail, fine, type Templates } from './templates.ts';

/** A place with a lower fit says nothing about where the row is. */
const sayingFit = 0.35;
/** The number of glyphs that are tried beside a place: those that fit best in its middle. */
const nearGlyphs = 4;

/** Lays a smooth row through the places of a chain. */
export function gridOf({ xs, ys, fits }: Chain): Grid {
  const weights = fits.map(weightOf);
  return {
    count: xs.length,
    xs: fitted(xs, weights, 4),
    ys: fitted(ys, weights, 3),
    ...{ tall: 1, taper: 0, lean: 0, fan: 0 },
  };
}

const weightOf = (fit: number) => Math.max(fit - sayingFit, 0) ** 2 + 1e-4;

/** Refines a grid until the glyphs fit best: first where the places are, then how high and how slanted they are. */
export function settle(grey: Grey, start: Grid, templates: Templates): Grid {
  let grid = start;
  for (const share of [0.12, 0.08]) grid = moved(grey, grid, coarse, templates.coarse, share);
  grid = shaped(grey, grid, coarse, templates.coarse, 1);
  for (const share of [0.08, 0.05]) grid = moved(grey, grid, coarse, templates.coarse, share);
  grid = shaped(grey, grid, coarse, templates.coarse, 0.4);
  for (const share of [0.06, 0.04]) grid = moved(grey, grid, fine, templates.fine, share);
  return grid;
}

const around = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => [right, down] as const));

/** Tries every place a share of the pitch beside where it is, and lays the row through where the glyphs fit best. */
function moved(grey: Grey, grid: Grid, detail: Detail, templates: Float32Array[], share: number): Grid {
  const far = share * pitchOf(grid);
  const size = detail.width * detail.height;
  const near = nearest(patchesOf(grey, grid, detail), size, templates);
  const tried = around.map(([right, down]) => {
    const patches = patchesOf(grey, shifted(grid, right * far, down * far), detail);
    return near.map((glyphs, place) =>
      glyphs.reduce((best, glyph) => Math.max(best, product(patches, place * size, glyph)), 0),
    );
  });
  const places = near.map((_, place) => peakOf(tried.map((fits) => fits[place] ?? 0)));
  const weights = places.map(({ fit }) => weightOf(fit));
  const at = (factors: readonly number[], off: (place: Peak) => number) =>
    places.map((place, index) => polynomial(factors, partOf(grid.count, index)) + off(place) * far);
  return {
    ...grid,
    xs: fitted(
      at(grid.xs, ({ right }) => right),
      weights,
      4,
    ),
    ys: fitted(
      at(grid.ys, ({ down }) => down),
      weights,
      3,
    ),
  };
}

const shifted = (grid: Grid, right: number, down: number): Grid => ({
  ...grid,
  xs: [(grid.xs[0] ?? 0) + right, ...grid.xs.slice(1)],
  ys: [(grid.ys[0] ?? 0) + down, ...grid.ys.slice(1)],
});

function nearest(patches: Float32Array, size: number, templates: Float32Array[]): Float32Array[][] {
  return Array.from({ length: patches.length / size }, (_, place) => {
    const fits = templates.map((glyph) => ({ glyph, fit: product(patches, place * size, glyph) }));
    return fits
      .toSorted((a, b) => b.fit - a.fit)
      .slice(0, nearGlyphs)
      .map(({ glyph }) => glyph);
  });
}

type Peak = { right: number; down: number; fit: number };

/** The best of nine fits around a place, and the top of the curve through it and its neighbours. */
function peakOf(fits: readonly number[]): Peak {
  const fit = Math.max(...fits);
  const [right, down] = around[fits.indexOf(fit)] ?? [0, 0];
  const along = (at: number) => fits[around.findIndex(([r, d]) => r === at && d === down)] ?? 0;
  const across = (at: number) => fits[around.findIndex(([r, d]) => r === right && d === at)] ?? 0;
  return { right: topOf(along(-1), along(0), along(1)), down: topOf(across(-1), across(0), across(1)), fit };
}

/** Where the parabola through three values has its top, from -1 to 1. */
function topOf(before: number, middle: number, after: number): number {
  const curve = before + after - 2 * middle;
  if (curve >= -1e-6) return after > before ? 1 : before > after ? -1 : 0;
  return Math.min(1, Math.max(-1, (before - after) / (2 * curve)));
}

/** The first step of each parameter of the shape of a place. */
const firstSteps = [
  ['tall', 0.08],
  ['lean', 0.08],
  ['taper', 0.06],
  ['fan', 0.08],
] as const;
const rounds = 2;

/** Improves the shape of the places by hill climbing: one parameter at a time is changed, as long as the fit gets better. */
function shaped(grey: Grey, start: Grid, detail: Detail, templates: Float32Array[], share: number): Grid {
  let best = start;
  let bestFit = fitOf(grey, best, detail, templates);
  for (let round = 0, size = share; round < rounds; round++, size /= 2.5)
    for (const [parameter, step] of firstSteps)
      for (const way of [-1, 1])
        for (let going = true; going; ) {
          const grid = { ...best, [parameter]: best[parameter] + way * step * size };
          const fit = fitOf(grey, grid, detail, templates);
          going = fit > bestFit + 1e-4;
          if (going) [best, bestFit] = [grid, fit];
        }
  return best;
}

/** Fits a polynomial of `u` with so many factors to values at all places, by weighted least squares. */
function fitted(values: readonly number[], weights: readonly number[], factors: number): number[] {
  const rows = Array.from({ length: factors }, () => new Array<number>(factors + 1).fill(0));
  values.forEach((value, place) => {
    const u = partOf(values.length, place);
    rows.forEach((row, i) => {
      for (let j = 0; j < factors; j++) row[j] = (row[j] ?? 0) + (weights[place] ?? 0) * u ** (i + j);
      row[factors] = (row[factors] ?? 0) + (weights[place] ?? 0) * value * u ** i;
    });
  });
  return solved(rows);
}

/** Solves equations of a positive definite matrix by elimination. */
function solved(rows: number[][]): number[] {
  rows.forEach((pivot, column) => {
    const first = pivot[column] || 1e-12;
    for (const row of rows) {
      if (row === pivot) continue;
      const factor = (row[column] ?? 0) / first;
      for (let i = column; i < row.length; i++) row[i] = (row[i] ?? 0) - factor * (pivot[i] ?? 0);
    }
  });
  return rows.map((row, index) => (row.at(-1) ?? 0) / (row[index] || 1e-12));
}
