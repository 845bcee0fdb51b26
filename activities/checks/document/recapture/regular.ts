import type { Grey } from '../reading/grey.ts';
import { type Corner, logPowers, spectrumSize, tileSide } from './spectrum.ts';

/** A part of a picture, in pixels. */
export type Area = { left: number; top: number; right: number; bottom: number };

/** The number of tiles in a block, in each direction. */
const tiles = 4;
const blockSide = tiles * tileSide;
const blocks = { across: 3, down: 3 } as const;

/** The waves per tile of a pattern: longer waves are letters and guilloches. */
const wavesMin = 8;

type Peak = { u: number; v: number; height: number };

/**
 * How far a lattice stands out of what is around it in each block, as a logarithm of its power. A lattice has waves in two directions, as the
 * pixels of a screen and the dots of a print have. The lines of a guilloche have one.
 */
export function latticesIn(grey: Grey, area: Area): number[] {
  return cornersIn(grey, area).map((corner) => latticeOf(peaksOf(meanOf(grey, corner))));
}

function latticeOf(peaks: readonly Peak[]): number {
  const [first, ...rest] = peaks.toSorted((p, q) => q.height - p.height);
  if (first === undefined) return 0;
  const second = rest.find((peak) => Math.abs(sineBetween(first, peak)) > crossingMin);
  return second !== undefined && second.height > equalMin * first.height ? second.height : 0;
}

/** Two waves cross if the sine of the angle between them is at least this. */
const crossingMin = 0.5;

/** The second wave of a lattice is about as strong as the first. Lines that wind have a second one too, which is weak. */
const equalMin = 0.6;

const sineBetween = (a: Peak, b: Peak) =>
  (a.u * b.v - a.v * b.u) / (Math.hypot(a.u, a.v) * Math.hypot(b.u, b.v));

function cornersIn({ width, height }: Grey, { left, top, right, bottom }: Area): Corner[] {
  if (width < blockSide || height < blockSide) return [];
  const along = (from: number, to: number, end: number, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const middle = from + ((to - from) * (index + 0.5)) / count;
      return Math.round(Math.min(Math.max(middle - blockSide / 2, 0), end - blockSide));
    });
  return along(top, bottom, height, blocks.down).flatMap((y) =>
    along(left, right, width, blocks.across).map((x): Corner => [x, y]),
  );
}

/** The mean spectrum of a block. What is everywhere in a block stays, and a letter that is in one tile nearly vanishes. */
function meanOf(grey: Grey, [left, top]: Corner): Float32Array {
  const corners = Array.from(
    { length: tiles * tiles },
    (_, index): Corner => [left + (index % tiles) * tileSide, top + Math.floor(index / tiles) * tileSide],
  );
  const sum = new Float32Array(spectrumSize);
  for (let index = 0; index < corners.length; index += 2) {
    const [one, other] = logPowers(grey, corners[index] as Corner, corners[index + 1] as Corner);
    for (let at = 0; at < sum.length; at++)
      sum[at] = (sum[at] as number) + (one[at] as number) + (other[at] as number);
  }
  return sum.map((value) => value / corners.length);
}

const half = tileSide / 2;
const ways = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;
const offsets = [-5, -4, -3, -2, 2, 3, 4, 5];

function peaksOf(mean: Float32Array): Peak[] {
  const at = (u: number, v: number): number => {
    const [right, down] = v < 0 || v > half ? [-u, -v] : [u, v];
    return mean[((down + tileSide) % tileSide) * tileSide + ((right + tileSide) % tileSide)] as number;
  };
  const peaks: Peak[] = [];
  for (let v = 0; v <= half; v++)
    for (let u = 1 - half; u <= half; u++) {
      const value = at(u, v);
      if (Math.hypot(u, v) < wavesMin || isOfJpeg(u, v)) continue;
      if (around.some(([right, down]) => at(u + right, v + down) > value)) continue;
      const beside = ways.map(([right, down]) =>
        medianOf(offsets.map((off) => at(u + off * right, v + off * down))),
      );
      peaks.push({ u, v, height: value - Math.max(...beside) });
    }
  return peaks;
}

function medianOf(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[values.length / 2 - 1] ?? 0) + (sorted[values.length / 2] ?? 0)) / 2;
}

const around = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => [right, down] as const));

/**
 * The blocks of a JPEG are 8 pixels wide and high. Where they can be seen, their waves are whole numbers of them. So a lattice that has
 * such waves is not found either.
 */
const jpegWaves = tileSide / 8;
const isOfJpeg = (u: number, v: number) => isNearWhole(u) && isNearWhole(v);
const isNearWhole = (waves: number) => Math.abs(waves - jpegWaves * Math.round(waves / jpegWaves)) <= 1;
