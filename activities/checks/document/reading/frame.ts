import type { Row } from './row.ts';
import type { Point } from './shapes.ts';

/** Maps a point of the picture to a place of the document, in millimetres right of and below the upper left corner of the zone. */
export type Frame = (x: number, y: number) => Point;

/** The sizes of documents, by the places in a line of their zone. In millimetres. */
const sizes: Readonly<Record<number, { wide: number; high: number }>> = {
  44: { wide: 125, high: 88 },
  36: { wide: 105, high: 74 },
  30: { wide: 85.6, high: 54 },
};
const pitch = 2.54;
const lineDistance = 6.35;

/** The plane of the document as the camera sees it, from the four ends of the first and the last line of the zone. */
export function frameOf(rows: readonly Row[]): Frame | undefined {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (first === last) return flatBeside(first);
  const [[upperLeft, upperRight], [lowerLeft, lowerRight]] = [endsOf(first), endsOf(last)];
  const toSquare = squareOf(upperLeft, upperRight, lowerRight, lowerLeft);
  const [wide, high] = [first.places.length * pitch, (rows.length - 1) * lineDistance];
  return (x, y) => {
    const [right, down] = toSquare(x, y);
    return [right * wide, down * high];
  };
}

const endsOf = (row: Row) => [row.at(-0.5, 0), row.at(row.places.length - 0.5, 0)] as const;

/** A single line does not say how a document is tilted. So this is as if the camera stood above it. */
function flatBeside(row: Row): Frame {
  const [[x0, y0], [x1, y1]] = endsOf(row);
  const scale = (row.places.length * pitch) / ((x1 - x0) ** 2 + (y1 - y0) ** 2);
  const [alongX, alongY] = [scale * (x1 - x0), scale * (y1 - y0)];
  return (x, y) => [(x - x0) * alongX + (y - y0) * alongY, (y - y0) * alongX - (x - x0) * alongY];
}

/** Maps four points of the picture to the corners of a square of length 1, by a projective map. */
function squareOf([x0, y0]: Point, [x1, y1]: Point, [x2, y2]: Point, [x3, y3]: Point): Frame {
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const [ax, ay, bx, by] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const area = ax * by - bx * ay;
  const [g, h] = [(sx * by - bx * sy) / area, (ax * sy - sx * ay) / area];
  const [a, b, d, e] = [x1 - x0 + g * x1, x3 - x0 + h * x3, y1 - y0 + g * y1, y3 - y0 + h * y3];
  // The inverse of the map from the square to the picture, by the adjugate of its matrix.
  return (x, y) => {
    const deep = (d * h - e * g) * x + (b * g - a * h) * y + a * e - b * d;
    const right = (e - y0 * h) * x + (x0 * h - b) * y + b * y0 - x0 * e;
    const down = (y0 * g - d) * x + (a - x0 * g) * y + x0 * d - a * y0;
    return [right / deep, down / deep];
  };
}

/** How much farther than its size a document may seem to reach, since it may be bent and the zone is not quite exact. */
const tolerance = 0.07;
/** How far the last line of a zone is from the lower edge of the document at most, in millimetres. */
const belowMax = 13;

/** True if this place of the document lies on it, and not beside it. */
export function isOnDocument([right, down]: Point, rows: readonly Row[]): boolean {
  const count = rows[0]?.places.length ?? 0;
  const size = sizes[count];
  if (size === undefined) return false;
  const last = (rows.length - 1) * lineDistance;
  const reach = (size.wide / 2) * (1 + tolerance);
  return (
    Math.abs(right - (count * pitch) / 2) < reach &&
    down < last + belowMax &&
    down > last - size.high * (1 + tolerance)
  );
}
