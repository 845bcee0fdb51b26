import { moreCertainDirection, turned } from '../examine.ts';
import { type Grey, type Line, redrawn } from '../reading/grey.ts';
import type { Models } from '../reading/models.ts';
import { readText } from '../reading/recogniser.ts';
import { locateLines } from '../reading/text-lines.ts';
import type { Reading } from './staying.ts';

/** A line of text that was read, or located only. A line that could not be read has the certainty 0. */
export type ReadLine = Reading & { line: Line };

/** The maximum number of lines that are read per picture. The others count as unreadable. */
export const linesMax = 80;
/** Above this certainty, a line is not read in the other direction too. */
const clear = 0.9;

/** Reads lines in the direction of the document, and also the other way round where that is not clear. */
export async function readLines(
  picture: Grey,
  lines: readonly Line[],
  direction: number,
  models: Models,
): Promise<ReadLine[]> {
  const read: ReadLine[] = [];
  for (const [index, line] of lines.toSorted((a, b) => b.length - a.length).entries())
    read.push({ line, ...(index < linesMax ? await readingOf(picture, line, direction, models) : unread) });
  return read;
}

const unread: Reading = { text: '', certainty: 0 };

async function readingOf(picture: Grey, line: Line, direction: number, models: Models): Promise<Reading> {
  const first = await readText(picture, turned(line, direction), models);
  if (first.certainty >= clear) return first;
  const other = await readText(picture, turned(line, direction + Math.PI), models);
  return other.certainty > first.certainty ? other : first;
}

/** The direction in which a side without a zone is read, in radians. */
export const directionOf = (picture: Grey, lines: readonly Line[], models: Models): Promise<number> =>
  moreCertainDirection(
    picture,
    lines.toSorted((a, b) => b.length - a.length),
    models,
  );

/** The longest side in pixels that one part of a picture has at most, and how far parts overlap, as a share of a part. */
const partSideMax = 1400;
const overlap = 0.15;
/** A line that ends this near to the edge of its part may be cut off. In pixels. */
const edge = 6;

/** Finds lines that are too small to be seen in the whole picture, by searching parts of it that overlap. */
export async function locateSmallLines(picture: Grey, models: Models): Promise<Line[]> {
  const found: Line[] = [];
  for (const [y, height] of partsOf(picture.height))
    for (const [x, width] of partsOf(picture.width)) {
      const part = redrawn(picture, { width, height }, (column, row) => [column + x, row + y]);
      for (const line of await locateLines(part, models)) {
        const isCut =
          Math.abs(Math.cos(line.angle)) > 0.7
            ? touches(line.x, line.length, width)
            : touches(line.y, line.length, height);
        found.push(...(isCut ? [] : [{ ...line, x: line.x + x, y: line.y + y }]));
      }
    }
  return found;
}

function partsOf(side: number): [start: number, length: number][] {
  const count = Math.ceil(side / partSideMax);
  const length = count === 1 ? side : Math.ceil((side / count) * (1 + overlap));
  return Array.from({ length: count }, (_, index) => [
    count === 1 ? 0 : Math.round(((side - length) * index) / (count - 1)),
    length,
  ]);
}

const touches = (middle: number, length: number, side: number) =>
  middle - length / 2 < edge || middle + length / 2 > side - edge;
