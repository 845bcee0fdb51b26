import { expect, test } from 'vitest';
import { createPace } from '#services/attempts/pace.ts';

/** Adjusts the pace once for each measurement, and returns the paces. */
function paces(pace: ReturnType<typeof createPace>, measured: readonly (number | undefined)[]): number[] {
  return measured.map((waitedMs) => {
    pace.adjust(waitedMs);
    return pace.perSecond();
  });
}
const times = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value);

test('it begins with one a second until it knows the usual wait, and then rises to a limit', () => {
  const pace = createPace();
  const rising = paces(pace, times(70, 50));
  expect(rising.slice(0, 4)).toEqual([1, 1, 1, 1]);
  expect(rising).toEqual([...rising].sort((a, b) => a - b));
  expect(rising.at(-1)).toBe(200);
});

test('it is halved when a delivery waits for a third longer than usual, and never stops', () => {
  const pace = createPace();
  paces(pace, times(70, 50));
  expect(paces(pace, [66, 67, 66])).toEqual([200, 100, 111]);
  expect(paces(pace, times(8, 400))).toEqual([55, 27, 13, 6, 3, 1, 1, 1]);
});

test('while no worker takes anything up, it stays at the slowest pace', () => {
  const pace = createPace();
  expect(new Set(paces(pace, times(30, undefined)))).toEqual(new Set([1]));
  paces(pace, times(70, 50));
  expect(paces(pace, times(9, undefined)).at(-1)).toBe(1);
  expect(paces(pace, times(3, undefined))).toEqual([1, 1, 1]);
});

test('what is usual is learned anew, also if the system stays slower than before', () => {
  const pace = createPace();
  paces(pace, times(30, 50));
  const slower = paces(pace, times(60, 300));
  expect(Math.min(...slower)).toBe(1);
  expect(slower.at(-1)).toBeGreaterThan(10);
});

test('it has a lower bound where one is set, and none from then on where it is taken away', () => {
  const pace = createPace();
  pace.keepAbove(12);
  expect(pace.perSecond()).toBe(12);
  expect(new Set(paces(pace, times(9, undefined)))).toEqual(new Set([12]));
  expect(paces(pace, times(7, 50)).at(-1)).toBeGreaterThan(12);
  pace.keepAbove(1);
  expect(paces(pace, times(9, undefined)).at(-1)).toBe(1);
});
