import { type Grey, type Line, redrawn } from './grey.ts';
import { fitOf, type Grid, heightOf, patchesOf, placeFits, pointOf, product } from './grid.ts';
import { alphabet } from './ocr-b.ts';
import { coarse, type Detail, fine, type Templates } from './templates.ts';

/**
 * Reader A is a glyph matcher. All characters of OCR-B have the same width. So a line of a machine-readable zone is a row of equal
 * places, and a place contains one of 37 known glyphs. First, a grid of places is moved over the picture until the glyphs fit best.
 * Then every place is read as the glyph that fits best.
 */

/** The part of a picture around a line. The line is drawn horizontally, and a place is about `stripPitch` pixels wide. */
type Strip = { grey: Grey; toPicture: (x: number, y: number) => readonly [number, number]; scale: number };

/** The character of one place, or '' if no glyph fits. `fit` is from 0 to 1. */
export type GlyphReading = { character: string; fit: number };
export type Row = {
  places: GlyphReading[];
  /** The mean fit of the glyphs of the row, from 0 to 1. */
  fit: number;
  /** The row as a line of the picture. It extends from the left edge of the first place to the right edge of the last place. */
  line: Line;
  pitch: number;
  /**
   * Maps a point of the row to the picture. `place` counts from 0, and a whole number is the middle of a place. `level` is the
   * distance from the middle line of the row, in heights of a glyph.
   */
  at: (place: number, level: number) => readonly [x: number, y: number];
};

const stripPitch = 16;

/** A rough position of a row, which is found quickly. `settled` refines the position and reads the row. `fit` is from 0 to 1. */
export type Sketch = { fit: number; settled(): Row };

/**
 * Finds the rough position of a row of `count` places along a line of the picture. The row has the direction of the line's angle.
 */
export function sketchRow(picture: Grey, line: Line, count: number, templates: Templates): Sketch {
  const strip = cutOut(picture, line, line.length / (count + 0.5));
  const start: Grid = {
    ...{ count, x: strip.grey.width / 2, y: strip.grey.height / 2, pitch: stripPitch },
    ...{ growth: 0, slope: 0, bend: 0, tall: 1, lean: 0 },
  };
  const { grid, fit } = bestStart(strip, start, templates.coarse);
  return { fit, settled: () => rowOf(strip, settle(strip, grid, templates), templates.fine, line.angle) };
}

function cutOut(picture: Grey, line: Line, pitch: number): Strip {
  const scale = pitch / stripPitch;
  const width = Math.round(line.length / scale + 4 * stripPitch);
  const height = 5 * stripPitch;
  const [cos, sin] = [Math.cos(line.angle), Math.sin(line.angle)];
  const toPicture = (x: number, y: number): readonly [number, number] => {
    const [along, across] = [(x - width / 2) * scale, (y - height / 2) * scale];
    return [line.x + along * cos - across * sin, line.y + along * sin + across * cos];
  };
  return { grey: redrawn(picture, { width, height }, toPicture), toPicture, scale };
}

const startPitches = [0.97, 0.985, 1, 1.015, 1.03];
const startShifts = [-1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.25];
const startLevels = [-0.25, 0, 0.25];

function bestStart(strip: Strip, start: Grid, templates: Float32Array[]): { grid: Grid; fit: number } {
  let best = start;
  let bestFit = Number.NEGATIVE_INFINITY;
  for (const wider of startPitches)
    for (const shift of startShifts)
      for (const level of startLevels) {
        const grid = {
          ...start,
          pitch: start.pitch * wider,
          x: start.x + shift * stripPitch,
          y: start.y + level * stripPitch,
        };
        const fit = fitOf(strip.grey, grid, coarse, templates);
        if (fit > bestFit) [best, bestFit] = [grid, fit];
      }
  return { grid: best, fit: bestFit };
}

type Parameter = Exclude<keyof Grid, 'count'>;

/** The first step of every parameter, for a row of about 40 places. The steps get smaller from round to round. */
const firstSteps: readonly [Parameter, number][] = [
  ['x', 3],
  ['y', 3],
  ['pitch', 0.15],
  ['slope', 0.1],
  ['tall', 0.08],
  ['growth', 0.006],
  ['bend', 0.003],
  ['lean', 0.06],
];

/**
 * Refines a grid. If a grid is shifted by one place, only the place at one end is empty, and the grid still fits well. Therefore,
 * if an end is empty, the grid is also tried one place away from that end.
 */
function settle({ grey }: Strip, start: Grid, templates: Templates): Grid {
  const roughly = climb(grey, start, coarse, templates.coarse, 1);
  const found = climb(grey, roughly, fine, templates.fine, 0.4);
  const fits = (grid: Grid) => fitOf(grey, grid, fine, templates.fine);
  return endsNotFilled(grey, found, templates.fine)
    .map((way) => {
      const moved = { ...found, x: found.x + way * found.pitch, y: found.y + way * found.slope };
      return climb(grey, moved, fine, templates.fine, 0.4);
    })
    .reduce((best, grid) => (fits(grid) > fits(best) ? grid : best), found);
}

/** The directions (1 right, -1 left) that move the grid away from an empty end. */
function endsNotFilled(grey: Grey, grid: Grid, templates: Float32Array[]): number[] {
  const fits = placeFits(grey, grid, fine, templates);
  return [fits[0], fits.at(-1)].flatMap((fit = 0, end) => (fit < filledFitMin ? [end === 0 ? 1 : -1] : []));
}

const filledFitMin = 0.6;

const climbRounds = 3;

/** Improves a grid by hill climbing. One parameter at a time is changed, as long as the fit gets better. */
function climb(grey: Grey, start: Grid, detail: Detail, templates: Float32Array[], share: number): Grid {
  let best = start;
  let bestFit = fitOf(grey, best, detail, templates);
  for (let round = 0, size = share; round < climbRounds; round++, size /= 2.5)
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

function rowOf(strip: Strip, grid: Grid, templates: Float32Array[], angle: number): Row {
  const places = readPlaces(strip.grey, grid, templates);
  const at = (place: number, level: number) => strip.toPicture(...pointOf(grid, place, 0, level));
  const [left, right] = [at(-0.5, 0), at(grid.count - 0.5, 0)];
  const pitch = grid.pitch * strip.scale;
  return {
    places,
    fit: places.reduce((sum, { fit }) => sum + fit, 0) / places.length,
    line: {
      x: (left[0] + right[0]) / 2,
      y: (left[1] + right[1]) / 2,
      angle: nearer(Math.atan2(right[1] - left[1], right[0] - left[0]), angle),
      length: Math.hypot(right[0] - left[0], right[1] - left[1]),
      height: heightOf(grid) * strip.scale,
    },
    pitch,
    at,
  };
}

const nearer = (angle: number, to: number) => angle + 2 * Math.PI * Math.round((to - angle) / (2 * Math.PI));

/**
 * The lowest fit at which a glyph is read. In measurements, characters of other fonts had a fit of up to 0.6, and other marks had
 * less.
 */
const readFitMin = 0.4;
const jitters = [-0.08, 0, 0.08];

/** Reads every place at the best of nine positions, since a character may lie slightly beside its place. */
function readPlaces(grey: Grey, grid: Grid, templates: Float32Array[]): GlyphReading[] {
  const best = Array.from({ length: grid.count }, () => new Float32Array(templates.length));
  const size = fine.width * fine.height;
  for (const right of jitters)
    for (const down of jitters) {
      const [x, y] = [grid.x + right * grid.pitch, grid.y + down * grid.pitch];
      const patches = patchesOf(grey, { ...grid, x, y }, fine);
      best.forEach((fits, place) => {
        templates.forEach((glyph, index) => {
          const fit = product(patches, place * size, glyph);
          if (fit > (fits[index] ?? 0)) fits[index] = fit;
        });
      });
    }
  return best.map((fits) => {
    const fit = Math.max(...fits);
    const first = fits.indexOf(fit);
    return { character: fit < readFitMin ? '' : (alphabet[first] ?? ''), fit };
  });
}
