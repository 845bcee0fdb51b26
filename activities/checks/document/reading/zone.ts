import { beginsWith } from '../judging/layout.ts';
import type { Grey, Line } from './grey.ts';
import { alignedTo, besideCourse, certaintyOf, lookAlong, type Row, rowOf } from './row.ts';
import { type Course, courseOf } from './strip.ts';
import type { ZoneNetwork } from './zone-network.ts';

/** The number of places in a line of each format of ICAO Doc 9303, and the number of its lines. */
const formats: ReadonlyMap<number, number> = new Map([
  [44, 2],
  [36, 2],
  [30, 3],
]);
/** A strip is cut out as if the line had so many places. */
const anyCount = 44;

/** In every format, the length of a line is at least this number of times its height. */
const slimness = 14;
const candidatesMax = 6;
/** A row with a lower mean certainty is not one of a zone. */
const certaintyMin = 0.6;

/**
 * Finds the machine-readable zone of a document and reads it with reader A. The last side is searched first, because an identity card
 * has its zone on the back. A passport has only one page.
 */
export async function findZoneOn<Side extends { picture: Grey; lines: Line[] }>(
  sides: readonly Side[],
  network: ZoneNetwork,
): Promise<{ side: Side; rows: Row[] } | undefined> {
  for (const side of sides.toReversed()) {
    const rows = await findZone(side.picture, side.lines, network);
    if (rows !== undefined) return { side, rows };
  }
  return undefined;
}

/**
 * Finds the machine-readable zone among the lines of a picture and reads it with reader A. The rows are in order from top to bottom.
 */
export async function findZone(
  picture: Grey,
  lines: Line[],
  network: ZoneNetwork,
): Promise<Row[] | undefined> {
  const candidates = lines
    .filter(({ length, height }) => length > slimness * height)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, candidatesMax);
  for (const line of candidates) {
    const found: Row[][] = [];
    for (const row of await rowsAlong(picture, line, network)) {
      const zone = await withItsLines(picture, row, network);
      if (zone !== undefined) found.push(zone);
    }
    const zone = surest(found);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

/**
 * Of zones that begin in the same line, the surest one. A part of a line may have the length of another format, and it is as sure as the whole
 * line. So a shorter one has to be surer by this much.
 */
const surerMin = 0.01;

const surest = (zones: readonly Row[][]): Row[] | undefined =>
  zones
    .toSorted((a, b) => (b[0]?.places.length ?? 0) - (a[0]?.places.length ?? 0))
    .reduce<Row[] | undefined>(
      (best, zone) =>
        best === undefined || leastCertainty(zone) > leastCertainty(best) + surerMin ? zone : best,
      undefined,
    );

/** Reads the line in both directions. Returns the rows that it can be, of different formats. */
async function rowsAlong(picture: Grey, line: Line, network: ZoneNetwork): Promise<Row[]> {
  const back = { ...line, angle: line.angle + Math.PI, bend: -(line.bend ?? 0), taper: -(line.taper ?? 0) };
  const courses = [line, back].map((way) => courseOf(way, anyCount));
  const [sight] = (await lookAlong(picture, courses, anyCount, network)).toSorted(
    (a, b) => certaintyOf(b) - certaintyOf(a),
  );
  if (sight === undefined || sight.places.length < placesMin) return [];
  const rows: Row[] = [];
  for (const [count, course] of await coursesOf(picture, rowOf(sight), network)) {
    const row = await readAgain(picture, course, count, network);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** Fewer places than this are not the larger part of a line. */
const placesMin = 18;
/** How many places are looked at beyond each end, and how often. */
const beyond = 3;
const looksMax = 4;

/**
 * Looks along a row and beyond its ends, until there is no more of it. The detector may have marked a part of the line only, and what lies beside
 * a document can look like characters. So the result is a course for each format whose length a row had, or what stood in it without a gap.
 */
async function coursesOf(picture: Grey, from: Row, network: ZoneNetwork): Promise<Map<number, Course>> {
  const [whole, parts] = [new Map<number, Course>(), new Map<number, Course>()];
  const keep = ({ at, places }: Row) => {
    if (formats.has(places.length)) whole.set(places.length, at);
    for (const { start, count } of withoutGaps(places))
      if (formats.has(count)) parts.set(count, (place, level) => at(place + start, level));
  };
  keep(from);
  for (let row = from, look = 0; look < looksMax; look++) {
    const { at, places } = row;
    const course: Course = (place, level) => at(place - beyond, level);
    const [seen] = await lookAlong(picture, [course], places.length + 2 * beyond, network);
    if (seen === undefined || seen.places.length < placesMin) break;
    row = rowOf(seen);
    keep(row);
    if (row.places.length === places.length) break;
  }
  // A row that ends where its line ends lies better on it.
  return new Map([...parts, ...whole]);
}

/** The runs of places in which something was seen. */
function withoutGaps(places: Row['places']): { start: number; count: number }[] {
  const runs: { start: number; count: number }[] = [];
  for (const [index, { character }] of places.entries()) {
    const last = runs.at(-1);
    if (character === '') continue;
    if (last !== undefined && last.start + last.count === index) last.count += 1;
    else runs.push({ start: index, count: 1 });
  }
  return runs;
}

/** Reads a row once more where it was found to lie, so that it is straight and its places are even. */
async function readAgain(
  picture: Grey,
  course: Course,
  count: number,
  network: ZoneNetwork,
): Promise<Row | undefined> {
  const [seen] = await lookAlong(picture, [course], count, network);
  if (seen === undefined) return undefined;
  const row = rowOf(alignedTo(count, seen));
  return row.certainty < certaintyMin ? undefined : row;
}

/** The zone of a Dutch driving licence has one line. No card has one that begins like it. */
const isOfLicence = ({ places }: Row): boolean =>
  places.length === 30 &&
  beginsWith(
    places.map(({ character }) => character),
    'D1NLD',
  );

/** Finds the other lines of the zone above and below a row that was found, even if the detector missed them. */
async function withItsLines(picture: Grey, row: Row, network: ZoneNetwork): Promise<Row[] | undefined> {
  if (isOfLicence(row)) return [row];
  const count = row.places.length;
  const lines = formats.get(count) ?? 0;
  const above = await neighbours(-1);
  const below = await neighbours(1);
  const rows = [...above.toReversed(), row, ...below];
  const runs = rows.map((_, start) => rows.slice(start, start + lines)).filter((run) => run.length === lines);
  return runs.toSorted((a, b) => leastCertainty(b) - leastCertainty(a))[0];

  async function neighbours(way: 1 | -1): Promise<Row[]> {
    const found: Row[] = [];
    while (found.length < lines - 1) {
      const next = await beside(found.at(-1) ?? row, way);
      if (next === undefined) break;
      found.push(next);
    }
    return found;
  }

  async function beside(from: Row, way: 1 | -1): Promise<Row | undefined> {
    const [seen] = await lookAlong(picture, [besideCourse(from, way)], count, network);
    if (seen === undefined || seen.places.length < placesMin) return undefined;
    const next = rowOf(alignedTo(count, seen));
    return next.certainty < certaintyMin ? undefined : readAgain(picture, next.at, count, network);
  }
}

const leastCertainty = (rows: readonly Row[]) => Math.min(...rows.map(({ certainty }) => certainty));
