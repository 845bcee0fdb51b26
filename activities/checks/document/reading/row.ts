import { findChain } from './chain.ts';
import { type Grey, type Line, redrawn } from './grey.ts';
import { type Grid, patchesOf, pitchOf, pointOf, product } from './grid.ts';
import { alphabet, cell } from './ocr-b.ts';
import { gridOf, settle } from './settle.ts';
import { fine, type Templates } from './templates.ts';

/**
 * Reader A is a glyph matcher. All characters of OCR-B have the same width. So a line of a machine-readable zone is a row of places, and
 * a place contains one of 37 known glyphs. A hand that holds a phone, and a page that is bent, make the places uneven. First a chain of
 * places is found along the line, then a smooth row is laid through them, and then every place is read as the glyph that fits best.
 */

/**
 * Maps a point of a row to the picture. `place` counts from 0, and a whole number is the middle of a place. `level` is the distance from
 * the middle line of the row, in heights of a glyph.
 */
export type Course = (place: number, level: number) => readonly [x: number, y: number];

/** The part of a picture around a course. The row is drawn horizontally, and a place is about `stripPitch` pixels wide. */
type Strip = { grey: Grey; toPicture: (x: number, y: number) => readonly [number, number] };

/** The character of one place, or '' if no glyph fits. `fit` is from 0 to 1. */
export type GlyphReading = { character: string; fit: number };
export type Row = {
  places: GlyphReading[];
  /** The mean fit of the glyphs of the row, from 0 to 1. */
  fit: number;
  /** The row as a line of the picture. It extends from the left edge of the first place to the right edge of the last place. */
  line: Line;
  pitch: number;
  at: Course;
};

const stripPitch = 16;
const glyphHeight = (stripPitch * cell.height) / cell.width;

/**
 * A rough position of a row, which is found quickly. `settled` refines the position and reads the row. `fit` is from 0 to 1. `score` is
 * the higher the more places fit well, so that a row of 44 places is not taken for one of 36.
 */
export type Sketch = { fit: number; score: number; settled(): Row };

/** A place with a lower fit lowers the score of its row. */
const sketchedFit = 0.45;

/** Finds the rough position of a row of `count` places near a course. */
export function sketchRow(picture: Grey, course: Course, count: number, templates: Templates): Sketch {
  const strip = cutOut(picture, course, count);
  const chain = findChain(strip.grey, count, stripPitch, glyphHeight, templates.coarse);
  let row: Row | undefined;
  return {
    fit: chain.fit,
    score: count * (chain.fit - sketchedFit),
    settled() {
      row ??= rowOf(strip, settle(strip.grey, gridOf(chain), templates), templates.fine);
      return row;
    },
  };
}

/** The course of a row of `count` places that fills a line of the detector. */
export function courseOf(line: Line, count: number): Course {
  const { bend = 0, taper = 0 } = line;
  const [cos, sin] = [Math.cos(line.angle), Math.sin(line.angle)];
  const half = line.length / 2;
  // The end that is nearer to the camera looks higher, and its places wider.
  const far = -Math.min(Math.max(taper, -taperMax), taperMax);
  return (place, level) => {
    const part = (2 * place + 1 - count) / (count + 0.5);
    const away = 1 + far * part;
    const along = (half * (part + far)) / away;
    const pitch = ((2 * half) / (count + 0.5)) * ((1 - far * far) / away);
    const across = bend * along * along + (level * pitch * cell.height) / cell.width;
    return [line.x + along * cos - across * sin, line.y + along * sin + across * cos];
  };
}

const taperMax = 0.35;

/** The course of the row that lies so many lines below another one, or above it if the number is negative. */
export const besideCourse = (row: Row, lines: number): Course => {
  const away = lines * lineDistance;
  return (place, level) => row.at(place, level + away);
};

/** The distance between the lines of a zone, in heights of a glyph. It is a quarter of an inch, and the pitch is a tenth of an inch. */
const lineDistance = (2.5 * cell.width) / cell.height;

function cutOut(picture: Grey, course: Course, count: number): Strip {
  const width = (count + 5) * stripPitch;
  const height = 5 * stripPitch;
  const toPicture = (x: number, y: number) =>
    course((x - width / 2) / stripPitch + (count - 1) / 2, (y - height / 2) / glyphHeight);
  return { grey: redrawn(picture, { width, height }, toPicture), toPicture };
}

function rowOf(strip: Strip, grid: Grid, templates: Float32Array[]): Row {
  const places = readPlaces(strip.grey, grid, templates);
  const at: Course = (place, level) => strip.toPicture(...pointOf(grid, place, 0, level));
  const [left, right] = [at(-0.5, 0), at(grid.count - 0.5, 0)];
  const middle = at((grid.count - 1) / 2, 0);
  const below = at((grid.count - 1) / 2, 1);
  const [wide, down] = [right[0] - left[0], right[1] - left[1]];
  const length = Math.hypot(wide, down);
  return {
    places,
    fit: places.reduce((sum, { fit }) => sum + fit, 0) / places.length,
    line: {
      x: (left[0] + right[0]) / 2,
      y: (left[1] + right[1]) / 2,
      angle: Math.atan2(down, wide),
      length,
      height: Math.hypot(below[0] - middle[0], below[1] - middle[1]),
    },
    pitch: length / grid.count,
    at,
  };
}

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
      const pitch = pitchOf(grid);
      const xs = [(grid.xs[0] ?? 0) + right * pitch, ...grid.xs.slice(1)];
      const ys = [(grid.ys[0] ?? 0) + down * pitch, ...grid.ys.slice(1)];
      const patches = patchesOf(grey, { ...grid, xs, ys }, fine);
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
