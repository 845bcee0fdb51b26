import { expect, test } from 'vitest';
import { frameOf, isOnDocument } from '#activities/checks/document/reading/frame.ts';
import type { Row } from '#activities/checks/document/reading/row.ts';

/** A camera that sees a place of the document, in millimetres from the zone's upper left corner, under a slant. */
const seen = (right: number, down: number): [number, number] => {
  const depth = 1 + 0.0011 * right - 0.0017 * down;
  return [(300 + 9 * right - 1.2 * down) / depth, (900 + 0.8 * right + 8.5 * down) / depth];
};

const row = (count: number, line: number): Row => ({
  places: Array.from({ length: count }, () => ({ character: 'A', certainty: 1 })),
  ...{ certainty: 1, pitch: 1, line: { x: 0, y: 0, angle: 0, length: 1, height: 1 } },
  at: (place, level) => seen((place + 0.5) * 2.54, line * 6.35 + level * 3.28),
});

const passport = [row(44, 0), row(44, 1)];

test('the plane of a document is known from its zone, far beyond the zone', () => {
  const frame = frameOf(passport);
  for (const [right, down] of [
    [0, 0],
    [111, 6.35],
    [50, -70],
    [-6, -78],
    [118, 14],
  ] as const) {
    const [x, y] = frame?.(...seen(right, down)) ?? [];
    expect(x).toBeCloseTo(right, 6);
    expect(y).toBeCloseTo(down, 6);
  }
});

test('of a zone with one line, the plane is as if the camera stood above it', () => {
  const licence: Row = { ...row(30, 0), at: (place, level) => [200 + 8 * level, 900 - 10 * (place + 0.5)] };
  const frame = frameOf([licence]);
  const mm = 10 / 2.54;
  for (const [right, down] of [
    [0, 0],
    [76.2, 0],
    [40, -42],
  ] as const) {
    const [x, y] = frame?.(200 + mm * down, 900 - mm * right) ?? [];
    expect([x, y]).toEqual([expect.closeTo(right, 6), expect.closeTo(down, 6)]);
  }
  expect(isOnDocument([40, -40], [licence])).toBe(true);
  expect(isOnDocument([40, -60], [licence])).toBe(false);
});

test('there is no plane without a zone', () => {
  expect(frameOf([])).toBeUndefined();
});

test.each([
  ['the number of a passport', [110, -70], true],
  ['the upper edge of a passport', [50, -78], true],
  ['a slip below it', [50, 24], false],
  ['a slip on its right', [130, -40], false],
  ['a slip on its left', [-20, -40], false],
  ['the page above it', [50, -95], false],
] as const)('%s', (_, place, isOn) => {
  expect(isOnDocument(place, passport)).toBe(isOn);
});

test('a card is smaller', () => {
  const card = [row(30, 0), row(30, 1), row(30, 2)];
  expect(isOnDocument([40, -25], card)).toBe(true);
  expect(isOnDocument([40, -50], card)).toBe(false);
});
