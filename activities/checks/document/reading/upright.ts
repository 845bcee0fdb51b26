import { type Grey, type Line, redrawn } from './grey.ts';
import type { Point } from './shapes.ts';

/** Maps a point of the turned picture to the picture, which has the sides `width` and `height`. */
export const turnedBack = ([x, y]: Point, quarters: number, width: number, height: number): Point =>
  (
    [
      [x, y],
      [y, height - x],
      [width - x, height - y],
      [width - y, x],
    ] as const
  )[quarters] ?? [x, y];

/** The quarters of a turn clockwise that make a document upright whose lines have this direction. */
export const quartersBack = (direction: number) => ((-Math.round((2 * direction) / Math.PI) % 4) + 4) % 4;

/**
 * Finds lines in a picture that was turned until its document is upright. The detector learned from print that lies: of digits that stand far apart it
 * finds few in lines that stand.
 */
export async function locateUpright(
  picture: Grey,
  direction: number,
  locate: (upright: Grey) => Promise<Line[]>,
): Promise<Line[]> {
  const quarters = quartersBack(direction);
  if (quarters === 0) return locate(picture);
  const { width, height } = picture;
  const size = quarters === 2 ? { width, height } : { width: height, height: width };
  const back = (x: number, y: number) => turnedBack([x, y], quarters, width, height);
  const lines = await locate(redrawn(picture, size, back));
  return lines.map((line) => {
    const [x, y] = back(line.x, line.y);
    return { ...line, x, y, angle: line.angle - (quarters * Math.PI) / 2 };
  });
}
