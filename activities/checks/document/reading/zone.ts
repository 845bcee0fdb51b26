import type { Grey, Line } from './grey.ts';
import { besideCourse, courseOf, type Row, type Sketch, sketchRow } from './row.ts';
import type { Templates } from './templates.ts';

/** The formats of ICAO Doc 9303, the longest first. `count` is the number of characters per line. */
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
/** The highest fit of other print. */
const otherPrintFit = 0.6;
/**
 * A sketch with a lower fit is not treated as OCR-B. In measurements, the fit of a sharp line of the zone was 0.7 to 0.85. The fit of
 * anything else was at most 0.67.
 */
const sketchFitMin = 0.5;
/** The number of sketches of a line that are read: mostly the right one, the same upside down, and another format. */
const sketchesRead = 4;
/**
 * A sketch with this fit is read at once. A row with the second fit is taken at once: it is the right way up, and longer formats were
 * tried before.
 */
const sharpFit = 0.68;
const certainFit = 0.82;

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
    const zone = first && withItsLines(picture, first, templates);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

const fitOf = ({ rows }: Zone) => Math.min(...rows.map(({ fit }) => fit));

type Found = { row: Row; format: Format };

/** Reads the line in both directions by each format, and takes the best row. Returns undefined if even that fits too little. */
function bestRow(picture: Grey, line: Line, templates: Templates): Found | undefined {
  const sketches: { format: Format; sketch: Sketch }[] = [];
  for (const format of formats)
    for (const way of waysOf(line)) {
      const sketch = sketchRow(picture, courseOf(way, format.count), format.count, templates);
      if (sketch.fit > sharpFit && sketch.settled().fit > certainFit)
        return { format, row: sketch.settled() };
      sketches.push({ format, sketch });
    }
  // A sketch is too rough to distinguish a row from the same row upside down, or from a part of it. So the best ones are read.
  const [best] = sketches
    .filter(({ sketch }) => sketch.fit > sketchFitMin)
    .toSorted((p, q) => q.sketch.score - p.sketch.score)
    .slice(0, sketchesRead)
    .map(({ format, sketch }) => ({ format, row: sketch.settled() }))
    .filter(({ row }) => row.fit > fitMin)
    .toSorted((p, q) => surplusOf(q.row) - surplusOf(p.row));
  return best;
}

/** How far a row fits better than other print, summed over its places. A row of 44 places has more of it than any 36 of them. */
const surplusOf = ({ fit, places }: Row) => (fit - otherPrintFit) * places.length;

/** Below this taper, a chain of places is found without knowing it. */
const taperSeen = 0.08;

/** The line in both directions. What the detector says about its taper may be wrong, so a strong one is also left out. */
function waysOf(line: Line): Line[] {
  const { bend = 0, taper = 0 } = line;
  const tapers = Math.abs(taper) < taperSeen ? [taper] : [taper, 0];
  return tapers.flatMap((each) => [
    { ...line, taper: each },
    { ...line, angle: line.angle + Math.PI, bend: -bend, taper: -each },
  ]);
}

/** Finds the other lines of the zone above and below a row that was found, even if the detector missed them. */
function withItsLines(picture: Grey, { row, format }: Found, templates: Templates): Zone | undefined {
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
      if (next === undefined) break;
      found.push(next);
    }
    return found;
  }

  function beside(from: Row, way: 1 | -1): Row | undefined {
    const sketch = sketchRow(picture, besideCourse(from, way), format.count, templates);
    const next = sketch.fit > sketchFitMin ? sketch.settled() : undefined;
    return next !== undefined && next.fit >= fitMin ? next : undefined;
  }
}
