import { describe, expect, test } from 'vitest';
import { type Colour, covered, coveredBut } from '#activities/checks/document/masking/colour.ts';
import { type Point, shapeOf } from '#activities/checks/document/reading/shapes.ts';
import { fc } from '#test/support/seed.ts';

const [width, height] = [60, 40];
const white: Colour = { pixels: Buffer.alloc(width * height * 3, 255), width, height };
const isWhite = ({ pixels }: Colour, x: number, y: number) => pixels[3 * (y * width + x)] === 255;
const whites = (picture: Colour) => picture.pixels.filter((value) => value === 255).length / 3;

const square: Point[] = [
  [10, 5],
  [20, 5],
  [20, 15],
  [10, 15],
];

test('a cover leaves nothing of the pixels below and all of the others', () => {
  const copy = covered(white, [square]);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      expect(isWhite(copy, x, y)).toBe(!(x >= 10 && x < 20 && y >= 5 && y < 15));
  expect(whites(white)).toBe(width * height);
});

test('a cover of everything but a shape leaves only the shape', () => {
  expect(whites(coveredBut(white, [square]))).toBe(100);
  expect(whites(coveredBut(white, []))).toBe(0);
});

test('every pixel of a turned line is covered, also at the edge of the picture', () => {
  const anywhere = fc.record({
    x: fc.double({ min: -10, max: width + 10, noNaN: true }),
    y: fc.double({ min: -10, max: height + 10, noNaN: true }),
    angle: fc.double({ min: -7, max: 7, noNaN: true }),
    length: fc.double({ min: 1, max: 80, noNaN: true }),
    height: fc.double({ min: 1, max: 30, noNaN: true }),
  });
  fc.assert(
    fc.property(anywhere, (line) => {
      const copy = covered(white, [shapeOf(line, 0, 0)]);
      for (let along = -0.49; along < 0.5; along += 0.07)
        for (let across = -0.49; across < 0.5; across += 0.07) {
          const [u, v] = [along * line.length, across * line.height];
          const x = Math.floor(line.x + u * Math.cos(line.angle) - v * Math.sin(line.angle));
          const y = Math.floor(line.y + u * Math.sin(line.angle) + v * Math.cos(line.angle));
          if (x >= 0 && y >= 0 && x < width && y < height) expect(isWhite(copy, x, y)).toBe(false);
        }
    }),
  );
});

describe('a line with margins', () => {
  test('is longer by its height at both ends for every unit', () => {
    const line = { x: 30, y: 20, angle: 0, length: 20, height: 4 };
    expect(shapeOf(line, 1.5, 0.5)).toEqual([
      [14, 16],
      [46, 16],
      [46, 24],
      [14, 24],
    ]);
  });
});
