import { type Grey, type Line, redrawn, sample } from './grey.ts';
import { alphabet, cell } from './ocr-b.ts';

/**
 * Reader A. OCR-B has one pitch, so a line of a machine-readable zone is a row of equal places, each with one of 37 known
 * glyphs. The row is laid over the picture so that the glyphs fit best; then each place is read as the glyph that fits it best.
 */

/** Where the places of a line are, in units of the strip that was cut out around it. Bent as a page bends. */
type Grid = {
  /** How many places. */
  count: number;
  /** Middle of the row, across and down. */
  x: number;
  y: number;
  pitch: number;
  /** Growth of the pitch from place to place, as when one end is nearer to the camera. */
  growth: number;
  slope: number;
  bend: number;
  /** How high a place is against what its pitch says, as when the page leans back. */
  tall: number;
  /** How far the upright strokes lean. */
  lean: number;
};

/** The picture around a line, with the line level and its places about `pitch` wide. */
type Strip = { grey: Grey; toPicture: (x: number, y: number) => readonly [number, number]; scale: number };

/** A character, or '' where nothing like one is seen; the fit is from 0 to 1. */
export type GlyphReading = { character: string; fit: number };
export type Row = {
  places: GlyphReading[];
  /** The mean of how well the glyphs fit, 0 to 1. */
  fit: number;
  /** The row as a line of the picture: from the first place's left edge to the last's right. */
  line: Line;
  pitch: number;
  /** The middle of a place and any point beside it, in the picture: places from 0 on, half a place is half a glyph's height. */
  at: (place: number, level: number) => readonly [x: number, y: number];
};

const stripPitch = 16;
const coarse = { width: 8, height: 10 } as const;
const fine = { width: 16, height: 20 } as const;
type Detail = typeof coarse | typeof fine;

/** Contrast of a place against that of its row, below which there is nothing in it. */
const blankBelow = 0.3;

export type Templates = { coarse: Float32Array[]; fine: Float32Array[] };

export const templatesOf = (glyphs: Uint8Array<ArrayBuffer>[]): Templates => ({
  coarse: glyphs.map((glyph) => template(glyph, coarse)),
  fine: glyphs.map((glyph) => template(glyph, fine)),
});

/** A glyph in few pixels, without mean and of length one, so that its product with such a picture is their correlation. */
function template(glyph: Uint8Array<ArrayBuffer>, { width, height }: Detail): Float32Array {
  const small = redrawn({ pixels: glyph, ...cell }, { width, height }, (x, y) => [
    (x * cell.width) / width,
    (y * cell.height) / height,
  ]);
  const values = Float32Array.from(small.pixels);
  normalise(values, 0, values.length, 0);
  return values;
}

/** Takes the mean away and makes the length one; where there is less contrast than `least` it leaves nothing. */
function normalise(values: Float32Array, from: number, to: number, least: number): void {
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

/** A row laid out roughly, which takes little time; `fit` is from 0 to 1. */
export type Sketch = { fit: number; settled(): Row };

/** A line of a picture as a row of so many places, running as its angle says. */
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

type Freedom = Exclude<keyof Grid, 'count'>;

/** How far each freedom is moved at first, for a row of about 40 places; each step is halved when nothing gets better by it. */
const firstSteps: readonly [Freedom, number][] = [
  ['x', 3],
  ['y', 3],
  ['pitch', 0.15],
  ['slope', 0.1],
  ['tall', 0.08],
  ['growth', 0.006],
  ['bend', 0.003],
  ['lean', 0.06],
];

/** A row that is one place beside the true one fits it well, all but the place at its end; so its neighbours are tried. */
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

/** Which ways to move, so as to leave a place at an end in which no glyph is. */
function endsNotFilled(grey: Grey, grid: Grid, templates: Float32Array[]): number[] {
  const fits = placeFits(grey, grid, fine, templates);
  return [fits[0], fits.at(-1)].flatMap((fit = 0, end) => (fit < filledFitMin ? [end === 0 ? 1 : -1] : []));
}

const filledFitMin = 0.6;

const climbRounds = 3;

function climb(grey: Grey, start: Grid, detail: Detail, templates: Float32Array[], share: number): Grid {
  let best = start;
  let bestFit = fitOf(grey, best, detail, templates);
  for (let round = 0, size = share; round < climbRounds; round++, size /= 2.5)
    for (const [freedom, step] of firstSteps)
      for (const way of [-1, 1])
        for (let going = true; going; ) {
          const grid = { ...best, [freedom]: best[freedom] + way * step * size };
          const fit = fitOf(grey, grid, detail, templates);
          going = fit > bestFit + 1e-4;
          if (going) [best, bestFit] = [grid, fit];
        }
  return best;
}

/** Column and row in the strip of a point `right` and `down` of a place's middle, in places and glyph heights. */
function pointOf(grid: Grid, place: number, right: number, down: number): [number, number] {
  const along = place + right - (grid.count - 1) / 2;
  const depth = down * heightOf(grid);
  return [
    grid.x + grid.pitch * along + grid.growth * along * along + grid.lean * depth,
    grid.y + grid.slope * along + grid.bend * along * along + depth,
  ];
}

const heightOf = ({ pitch, tall }: Grid) => (pitch * tall * cell.height) / cell.width;

function fitOf(grey: Grey, grid: Grid, detail: Detail, templates: Float32Array[]): number {
  const fits = placeFits(grey, grid, detail, templates);
  return fits.reduce((sum, fit) => sum + fit, 0) / fits.length;
}

/** How well the best glyph fits in each place. */
function placeFits(grey: Grey, grid: Grid, detail: Detail, templates: Float32Array[]): number[] {
  const patches = patchesOf(grey, grid, detail);
  const size = detail.width * detail.height;
  return Array.from({ length: grid.count }, (_, place) => {
    let best = 0;
    for (const glyph of templates) best = Math.max(best, product(patches, place * size, glyph));
    return best;
  });
}

function product(patches: Float32Array, from: number, glyph: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < glyph.length; i++) sum += (patches[from + i] as number) * (glyph[i] as number);
  return sum;
}

/** What is seen in every place, as comparable with templates. */
function patchesOf(grey: Grey, grid: Grid, { width, height }: Detail): Float32Array {
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
  const least = blankBelow * usualContrast(patches, size);
  for (let place = 0; place < grid.count; place++)
    normalise(patches, place * size, (place + 1) * size, least);
  return patches;
}

/** The standard deviation that half of the places exceed. */
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

/** Glyphs that are no part of the alphabet fit up to 0.6, and what is no glyph at all less. */
const readFitMin = 0.4;
const jitters = [-0.08, 0, 0.08];

/** Each place may be a little beside where the row has it. */
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
