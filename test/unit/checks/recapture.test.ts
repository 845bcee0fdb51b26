import { expect, test } from 'vitest';
import type { Grey } from '#activities/checks/document/reading/grey.ts';
import { mayBeRecaptured } from '#activities/checks/document/recapture/recapture.ts';
import { latticesIn } from '#activities/checks/document/recapture/regular.ts';
import { randomFrom } from '#test/support/specimens/photograph.ts';

const [width, height] = [900, 700];
const area = { left: 0, top: 0, right: width, bottom: height };
const wave = (x: number, y: number, degrees: number, pitch: number) =>
  Math.cos(
    (2 * Math.PI * (x * Math.cos((degrees * Math.PI) / 180) + y * Math.sin((degrees * Math.PI) / 180))) /
      pitch,
  );

/** Paper with the noise of a camera, and a pattern on it. */
function paper(pattern: (x: number, y: number) => number): Grey {
  const random = randomFrom(5);
  const pixels = Uint8Array.from({ length: width * height }, (_, index) => {
    const noise = 4 * (random() + random() + random() - 1.5);
    return 190 + noise + pattern(index % width, Math.floor(index / width));
  });
  return { pixels, width, height };
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];
const latticeOf = (pattern: (x: number, y: number) => number) =>
  median(latticesIn(paper(pattern), area)) ?? 0;

test.each([
  [2.3, 0],
  [2.3, 7],
  [3.1, -4],
  [4.7, 33],
  [6.2, 20],
])(
  'a lattice of %s pixels, turned by %s degrees, stands out though it is weaker than the noise',
  (pitch, turn) => {
    const lattice = (x: number, y: number) =>
      2 * wave(x, y, turn, pitch) + 1.5 * wave(x, y, turn + 90, pitch);
    expect(latticeOf(lattice)).toBeGreaterThan(2);
  },
);

test.each([
  ['nothing', () => 0],
  ['straight lines', (x: number, y: number) => 12 * wave(x, y, 70, 4.3)],
  ['lines that wind', (x: number, y: number) => 12 * wave(x, y + 9 * Math.sin(x / 60), 90, 5.1)],
  ['large letters', (x: number, y: number) => (x % 31 < 9 && y % 40 < 25 ? -120 : 0)],
  ['blocks of a JPEG', (x: number, y: number) => 3 * (x % 8 === 0 ? 1 : 0) + 3 * (y % 8 === 0 ? 1 : 0)],
])('%s: no lattice', (_, pattern) => {
  expect(latticeOf(pattern)).toBeLessThan(1.1);
});

test('a picture that is smaller than what is looked at has none', () => {
  expect(latticesIn({ pixels: new Uint8Array(100 * 80), width: 100, height: 80 }, area)).toEqual([]);
});

/** A small copy in colour, by the red and the blue of its places. */
function inColours(red: (x: number, y: number) => number, blue: (x: number, y: number) => number) {
  const pixels = new Uint8Array(3 * 90 * 70);
  for (let y = 0; y < 70; y++)
    for (let x = 0; x < 90; x++) pixels.set([red(x, y), 180, blue(x, y)], 3 * (y * 90 + x));
  return { grey: paper(() => 0), colours: { pixels, width: 90, height: 70, scale: 0.1 } };
}

const everywhere = () => true;
const varied = (x: number, y: number) => 180 + 15 * Math.sin(x / 8 + y / 11);

test('paper without colour is a copy, in white light, in warm light and beside a lamp', () => {
  for (const red of [() => 180, () => 205, (x: number) => 170 + x / 3])
    expect(
      mayBeRecaptured(
        inColours(red, () => 175),
        area,
        everywhere,
      ),
    ).toBe(true);
  expect(
    mayBeRecaptured(
      inColours(varied, () => 175),
      area,
      everywhere,
    ),
  ).toBe(false);
});

test('a small spot of colour makes no document of a copy, and neither does a table beside it', () => {
  const spot = (x: number, y: number) => (x < 12 && y < 8 ? 240 : 180);
  expect(
    mayBeRecaptured(
      inColours(spot, () => 175),
      area,
      everywhere,
    ),
  ).toBe(true);
  const table = (x: number, y: number) => (x < 45 ? varied(x, y) : 180);
  const isOn = (x: number) => x >= 460;
  expect(
    mayBeRecaptured(
      inColours(table, () => 175),
      area,
      isOn,
    ),
  ).toBe(true);
  expect(
    mayBeRecaptured(
      inColours(table, () => 175),
      area,
      everywhere,
    ),
  ).toBe(false);
});
