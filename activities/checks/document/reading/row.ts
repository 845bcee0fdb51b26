import { fitted, polynomial } from './curve.ts';
import type { Grey, Line } from './grey.ts';
import { cell } from './ocr-b.ts';
import { type Course, type Strip, stripOf } from './strip.ts';
import type { Seen, ZoneNetwork } from './zone-network.ts';

/**
 * Reader A is a network of our own that reads a line of a zone whatever its pitch, its tilt and its bend. It says what each character is
 * and where it is. A smooth row through these places says where the other lines of the zone are, and where reader B has to look.
 */

/** The character of one place, or '' if none was seen. `certainty` is the probability that it is right, from 0 to 1. */
export type PlaceReading = { character: string; certainty: number };
export type Row = {
  places: PlaceReading[];
  /** The mean certainty of the places. */
  certainty: number;
  /** The row as a line of the picture. It extends from the left edge of the first place to the right edge of the last place. */
  line: Line;
  pitch: number;
  at: Course;
};

/** What was seen in a strip, and the same with its places in a row. `undefined` is a place where nothing was seen. */
export type Sight = { strip: Strip; seen: readonly Seen[]; places: (Seen | undefined)[] };

/** Reads a course in as many ways as are given. */
export async function lookAlong(
  picture: Grey,
  courses: readonly Course[],
  count: number,
  network: ZoneNetwork,
): Promise<Sight[]> {
  const strips = courses.map((course) => stripOf(picture, course, count));
  const seen = await network(strips.map(({ grey }) => grey));
  return strips.map((strip, index) => {
    const all = seen[index] ?? [];
    return { strip, seen: all, places: inPlaces(all.filter(({ isFaint }) => !isFaint)) };
  });
}

export const certaintyOf = ({ places }: Sight): number =>
  places.reduce((sum, seen) => sum + (seen?.certainty ?? 0), 0);

/** Of two characters that are nearer than this share of the pitch, one was seen twice. */
const nearest = 0.55;
/** The number of distances whose median is the pitch at a place. The pitch of a tilted line changes along it. */
const around = 9;

/** Puts the characters in a row, with an empty place where the next one is too far away. */
function inPlaces(seen: readonly Seen[]): (Seen | undefined)[] {
  const single = withoutTwins(seen);
  const distances = single.slice(1).map(({ x }, index) => x - (single[index]?.x ?? 0));
  return single.flatMap((each, index) => {
    const from = Math.max(0, index - 1 - (around >> 1));
    const pitch = medianOf(distances.slice(from, from + around));
    const steps = index === 0 ? 1 : Math.max(1, Math.round((distances[index - 1] ?? pitch) / pitch));
    return [...new Array<undefined>(steps - 1).fill(undefined), each];
  });
}

function withoutTwins(seen: readonly Seen[]): Seen[] {
  const pitch = medianOf(seen.slice(1).map(({ x }, index) => x - (seen[index]?.x ?? 0)));
  const single: Seen[] = [];
  for (const each of seen) {
    const last = single.at(-1);
    const isTwin = last !== undefined && each.x - last.x < nearest * pitch;
    if (!isTwin) single.push(each);
    else if (each.certainty > last.certainty) single[single.length - 1] = each;
  }
  return single;
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.POSITIVE_INFINITY;

/** The places of a row of `count`, by where they are in the strip. It was cut out along such a row, so its places are known. */
export function alignedTo(count: number, { strip, seen }: Sight): Sight {
  const indexOf = ({ x }: Seen) => (x - strip.grey.width / 2) / strip.pitch + (count - 1) / 2;
  const clear = seen.filter(({ isFaint }) => !isFaint);
  const shift = medianOf(clear.map((each) => indexOf(each) - Math.round(indexOf(each))));
  const places = new Array<Seen | undefined>(count).fill(undefined);
  for (const each of [...clear, ...seen.filter(({ isFaint }) => isFaint)]) {
    const index = Math.round(indexOf(each) - shift);
    const there = places[index];
    if (index < 0 || index >= count || (there && (each.isFaint || there.certainty >= each.certainty)))
      continue;
    places[index] = each;
  }
  return { strip, seen, places };
}

/** Where a place lies between the ends of a row, from -1 to 1. */
const partOf = (count: number, place: number): number => (2 * place + 1) / count - 1;

/** Lays a smooth row through what was seen. */
export function rowOf(sight: Sight): Row {
  const { strip, places } = sight;
  const count = places.length;
  const measured = (value: (seen: Seen) => number) =>
    places.flatMap((seen, place) =>
      seen === undefined
        ? []
        : [{ u: partOf(count, place), value: value(seen), weight: seen.certainty ** 2 }],
    );
  const xs = fitted(
    measured(({ x }) => x),
    4,
  );
  const ys = fitted(
    measured(({ y }) => y),
    4,
  );
  const heights = fitted(
    measured(({ height }) => height),
    2,
  );
  const at: Course = (place, level) => {
    const u = partOf(count, place);
    return strip.toPicture(polynomial(xs, u), polynomial(ys, u) + level * polynomial(heights, u));
  };
  const line = lineOf(at, count);
  return {
    places: places.map((seen) => ({ character: seen?.character ?? '', certainty: seen?.certainty ?? 0 })),
    certainty: certaintyOf(sight) / count,
    ...{ line, at },
    pitch: line.length / count,
  };
}

function lineOf(at: Course, count: number): Line {
  const [left, right] = [at(-0.5, 0), at(count - 0.5, 0)];
  const [above, below] = [at((count - 1) / 2, -0.5), at((count - 1) / 2, 0.5)];
  const [wide, down] = [right[0] - left[0], right[1] - left[1]];
  return {
    x: (left[0] + right[0]) / 2,
    y: (left[1] + right[1]) / 2,
    angle: Math.atan2(down, wide),
    length: Math.hypot(wide, down),
    height: Math.hypot(below[0] - above[0], below[1] - above[1]),
  };
}

/** The course of the row that lies so many lines below another one, or above it if the number is negative. */
export const besideCourse = (row: Row, lines: number): Course => {
  const away = lines * lineDistance;
  return (place, level) => row.at(place, level + away);
};

/** The distance between the lines of a zone, in heights of a glyph. It is a quarter of an inch, and the pitch is a tenth of an inch. */
const lineDistance = (2.5 * cell.width) / cell.height;
