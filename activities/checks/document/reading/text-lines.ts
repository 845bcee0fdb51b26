import { fitted } from './curve.ts';
import { type Grey, type Line, redrawn } from './grey.ts';
import type { Models, Output } from './models.ts';

/**
 * The longest side of the picture for the detector, in pixels. At this size, a character of a machine-readable zone has 12 pixels
 * or more.
 */
const usualSide = 1280;
/** The sides of a picture for the network must be multiples of this number of pixels. */
const step = 32;

/** The lowest probability of a pixel in the core of a line, and the lowest mean probability of a whole core. */
const coreMin = 0.3;
const meanCoreMin = 0.5;
/** The lowest height of a line, in pixels of the detector. Smaller regions are not lines of text. */
const heightMin = 3;
/** The detector marks only the core of a line. The margin around a core is calculated with this factor. */
const growth = 1.5;
/**
 * A line that is longer than this number of times its height has a clear direction. A shorter line gets the direction of the other
 * lines.
 */
const elongationMin = 4;

/** Finds the lines of text in a picture. The detector cannot distinguish a line from the same line upside down. */
export async function locateLines(picture: Grey, { detector }: Models, side = usualSide): Promise<Line[]> {
  const scale = side / Math.max(picture.width, picture.height);
  const whole = (length: number) => Math.max(step, Math.round((length * scale) / step) * step);
  const size = { width: whole(picture.width), height: whole(picture.height) };
  const [wider, higher] = [picture.width / size.width, picture.height / size.height];
  const small = redrawn(picture, size, (x, y) => [x * wider, y * higher]);
  const cores = blobs(await detector(small, (grey) => (grey / 255 - 0.45) / 0.225));
  const direction = commonDirection(cores);
  return cores
    .map((core) => grown(boxOf(core, direction)))
    .filter(({ height }) => height >= heightMin)
    .map((line) => ({
      ...line,
      x: line.x * wider,
      y: line.y * higher,
      length: line.length * wider,
      height: line.height * higher,
      bend: (line.bend ?? 0) / higher,
    }));
}

type Blob = { xs: number[]; ys: number[]; x: number; y: number; angle: number; elongation: number };

/** Finds the connected regions that are cores of lines. */
function blobs({ values, rows, columns }: Output): Blob[] {
  const seen = new Uint8Array(values.length);
  const found: Blob[] = [];
  for (let start = 0; start < values.length; start++) {
    if (seen[start] === 1 || (values[start] ?? 0) < coreMin) continue;
    const members = region(start);
    const mean = members.reduce((sum, index) => sum + (values[index] ?? 0), 0) / members.length;
    if (mean >= meanCoreMin) found.push(shapeOf(members, columns));
  }
  return found;

  function region(start: number): number[] {
    const members = [start];
    seen[start] = 1;
    for (const index of members) {
      const column = index % columns;
      if (column > 0) visit(index - 1);
      if (column < columns - 1) visit(index + 1);
      if (index >= columns) visit(index - columns);
      if (index < (rows - 1) * columns) visit(index + columns);
    }
    return members;

    function visit(index: number): void {
      if (seen[index] === 1 || (values[index] ?? 0) < coreMin) return;
      seen[index] = 1;
      members.push(index);
    }
  }
}

/** Returns the middle of a region, its main axis, and the ratio of its length to its height. */
function shapeOf(members: number[], columns: number): Blob {
  const xs = members.map((index) => (index % columns) + 0.5);
  const ys = members.map((index) => Math.floor(index / columns) + 0.5);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(xs), mean(ys)];
  const [dx, dy] = [xs.map((value) => value - x), ys.map((value) => value - y)];
  const [xx, yy] = [mean(dx.map((d) => d * d)), mean(dy.map((d) => d * d))];
  const xy = mean(dx.map((d, index) => d * (dy[index] ?? 0)));
  const spread = Math.hypot((xx - yy) / 2, xy);
  const elongation = Math.sqrt(((xx + yy) / 2 + spread) / Math.max((xx + yy) / 2 - spread, 0.1));
  return { xs, ys, x, y, angle: Math.atan2(2 * xy, xx - yy) / 2, elongation };
}

/**
 * The mean direction of the lines, weighted by their size. Angles are doubled, since opposite directions of a line are the same.
 */
function commonDirection(cores: Blob[]): number {
  const clear = cores.filter(({ elongation }) => elongation > elongationMin);
  const sum = (part: (angle: number) => number) =>
    clear.reduce((total, { angle, xs }) => total + part(2 * angle) * xs.length, 0);
  return clear.length === 0 ? 0 : Math.atan2(sum(Math.sin), sum(Math.cos)) / 2;
}

function boxOf({ xs, ys, x, y, angle: own, elongation }: Blob, direction: number): Line {
  const angle = elongation > elongationMin ? own : direction;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const along = xs.map((value, index) => (value - x) * cos + ((ys[index] ?? 0) - y) * sin);
  const across = xs.map((value, index) => ((ys[index] ?? 0) - y) * cos - (value - x) * sin);
  const [left, right] = extent(along);
  const { bend, taper, top, bottom } = curveOf(along, across, left, right);
  const [middle, level] = [(left + right) / 2, (top + bottom) / 2];
  return {
    x: x + middle * cos - level * sin,
    y: y + middle * sin + level * cos,
    angle,
    length: right - left + 1,
    height: bottom - top + 1,
    bend,
    taper,
  };
}

/** A line is cut into this many parts to see how it is curved, if each part is at least as long as the line is high. */
const parts = 12;

/** How a region is curved, how its height changes from left to right, and where its course lies in the middle. */
function curveOf(along: number[], across: number[], left: number, right: number) {
  const [top, bottom] = extent(across);
  const straight = { bend: 0, taper: 0, top, bottom };
  if (right - left < parts * (bottom - top + 1)) return straight;
  const sums = Array.from({ length: parts }, () => ({ count: 0, across: 0 }));
  along.forEach((value, index) => {
    const part = sums[Math.min(parts - 1, Math.floor((parts * (value - left)) / (right - left)))];
    if (part === undefined) return;
    part.count += 1;
    part.across += across[index] ?? 0;
  });
  // The ends of a region are round, so its first and last part say little.
  const inner = sums.slice(1, -1);
  const parabola = (value: (sum: { count: number; across: number }) => number) =>
    fitted(
      inner.map((sum, index) => ({
        u: (2 * (index + 1.5)) / parts - 1,
        value: value(sum),
        weight: 1,
      })),
      3,
    );
  const [, slope = 0, curve = 0] = parabola((sum) => sum.across / Math.max(sum.count, 1));
  const [height = 1, growing = 0] = parabola(({ count }) => count);
  const half = (right - left) / 2;
  const off = along.map((value, index) => {
    const u = (value - left) / half - 1;
    return (across[index] ?? 0) - slope * u - curve * u * u;
  });
  const [upper, lower] = extent(off);
  return Math.abs(curve) > half
    ? straight
    : { bend: curve / (half * half), taper: growing / height, top: upper, bottom: lower };
}

const extent = (values: number[]): [number, number] => [
  values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
  values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
];

function grown(line: Line): Line {
  const margin = (line.length * line.height * growth) / (line.length + line.height);
  return { ...line, length: line.length + margin, height: line.height + margin };
}
