import type { Grey, Line } from './grey.ts';
import { type Row, type Sketch, sketchRow } from './row.ts';
import type { Templates } from './templates.ts';

/** The formats of ICAO Doc 9303. `count` is the number of characters per line. */
const formats = [
  { count: 44, lines: 2 },
  { count: 36, lines: 2 },
  { count: 30, lines: 3 },
] as const;
type Format = (typeof formats)[number];

/** In every format, the length of a line is at least this number of times its height. */
const slimness = 14;
const candidatesMax = 6;
/**
 * A row with a lower fit is not treated as OCR-B. In measurements, the fit of a line of the zone was 0.7 to 0.98. The fit was at
 * most 0.77 for a line that was read upside down, and at most 0.6 for other print.
 */
const fitMin = 0.65;
/**
 * A sketch with a lower fit is not treated as OCR-B. In measurements, the fit of a line of the zone was 0.5 to 0.7. The fit of
 * anything else was at most 0.45.
 */
const sketchFitMin = 0.42;
/** The distance between lines, in units of the pitch. The distance is a quarter of an inch, and the pitch is a tenth of an inch. */
const lineDistance = 2.5;

/** A machine-readable zone. The rows are in order from top to bottom. */
export type Zone = { rows: Row[] };

/** Finds the machine-readable zone among the lines of a picture and reads it with reader A. */
export function findZone(picture: Grey, lines: Line[], templates: Templates): Zone | undefined {
  const candidates = lines
    .filter(({ length, height }) => length > slimness * height)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, candidatesMax);
  for (const line of candidates) {
    const first = bestRow(picture, line, templates);
    const zone = first && withItsLines(picture, first, lines, templates);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

const fitOf = ({ rows }: Zone) => Math.min(...rows.map(({ fit }) => fit));

type Found = { row: Row; format: Format };

/** Reads the line in both directions by each format, and takes the best fit. Returns undefined if even that fit is too low. */
function bestRow(picture: Grey, line: Line, templates: Templates): Found | undefined {
  const [likeliest] = formats
    .map((format) => ({
      format,
      sketches: bothWays(line).map((way) => sketchRow(picture, way, format.count, templates)),
    }))
    .toSorted((a, b) => surest(b.sketches) - surest(a.sketches));
  if (likeliest === undefined || surest(likeliest.sketches) < sketchFitMin) return undefined;
  // A sketch is too rough to distinguish a row from the same row upside down. So the row is read in both directions, and the better fit
  // wins.
  const [row] = likeliest.sketches.map((sketch) => sketch.settled()).toSorted((a, b) => b.fit - a.fit);
  return row !== undefined && row.fit > fitMin ? { row, format: likeliest.format } : undefined;
}

const bothWays = (line: Line): Line[] => [line, { ...line, angle: line.angle + Math.PI }];

const surest = (sketches: Sketch[]) => Math.max(...sketches.map(({ fit }) => fit));

/** Finds the other lines of the zone above and below a row that was found, even if the detector missed them. */
function withItsLines(
  picture: Grey,
  { row, format }: Found,
  lines: Line[],
  templates: Templates,
): Zone | undefined {
  const reach = format.lines - 1;
  const above = neighbours(-1);
  const below = neighbours(1);
  const rows = [...above.toReversed(), row, ...below];
  const runs = rows
    .map((_, start) => ({ rows: rows.slice(start, start + format.lines) }))
    .filter((run) => run.rows.length === format.lines);
  return runs.toSorted((a, b) => fitOf(b) - fitOf(a))[0];

  function neighbours(way: 1 | -1): Row[] {
    const found: Row[] = [];
    while (found.length < reach) {
      const next = beside(found.at(-1) ?? row, way);
      if (next.fit < fitMin) break;
      found.push(next);
    }
    return found;
  }

  function beside(from: Row, way: 1 | -1): Row {
    const { line, pitch } = from;
    const away = way * lineDistance * pitch;
    const expected = {
      ...line,
      x: line.x - away * Math.sin(line.angle),
      y: line.y + away * Math.cos(line.angle),
      length: pitch * (format.count + 0.5),
    };
    return sketchRow(picture, levelled(expected, lines, pitch), format.count, templates).settled();
  }
}

/**
 * Moves the expected line up or down to the line of the detector at that place, if there is one. The expected length stays: it comes
 * from the neighbouring row, which was already read, and is more exact.
 */
function levelled(expected: Line, lines: Line[], pitch: number): Line {
  const [cos, sin] = [Math.cos(expected.angle), Math.sin(expected.angle)];
  const seen = lines.find(({ x, y }) => Math.hypot(x - expected.x, y - expected.y) < pitch);
  if (seen === undefined) return expected;
  const down = (seen.y - expected.y) * cos - (seen.x - expected.x) * sin;
  return { ...expected, x: expected.x - down * sin, y: expected.y + down * cos };
}
