import { randomFrom } from '../photograph.ts';

/** The share of pairs of one person that are nearer than a pair of different people: 1 if all are. A tie counts half. */
export function areaUnderCurve(same: readonly number[], different: readonly number[]): number {
  let nearer = 0;
  for (const a of same) for (const b of different) nearer += a < b ? 1 : a === b ? 0.5 : 0;
  return nearer / (same.length * different.length);
}

const draws = 1_000;

/** The interval of the area that holds 95 % of the areas of lists drawn from these with repetition. */
export function intervalOfArea(
  same: readonly number[],
  different: readonly number[],
): [low: number, high: number] {
  const random = randomFrom(11);
  const drawn = (from: readonly number[]) => from.map(() => from[Math.floor(random() * from.length)] ?? 0);
  const areas = Array.from({ length: draws }, () => areaUnderCurve(drawn(same), drawn(different)));
  areas.sort((a, b) => a - b);
  return [areas[Math.floor(draws * 0.025)] ?? 0, areas[Math.floor(draws * 0.975)] ?? 1];
}

/** The interval of shares that are likely, with 95 %, if `found` of `all` were counted (Wilson). */
export function intervalOfShare(found: number, all: number): [low: number, high: number] {
  const z = 1.96;
  const share = found / all;
  const middle = share + (z * z) / (2 * all);
  const wide = z * Math.sqrt((share * (1 - share)) / all + (z * z) / (4 * all * all));
  const whole = 1 + (z * z) / all;
  return [Math.max(0, (middle - wide) / whole), Math.min(1, (middle + wide) / whole)];
}

/** The highest of these shares. */
export const highestShare = (found: number, all: number): number => intervalOfShare(found, all)[1];
