import type { Colour } from '../document/masking/colour.ts';
import type { Face } from '../document/masking/faces.ts';
import type { Point } from '../document/reading/shapes.ts';
import type { SquareNetwork } from './chain.ts';
import { chipOf, type Square } from './chip.ts';
import { landmarkSide } from './landmarks.ts';
import { chipSide } from './recogniser.ts';

export type Describers = { landmarks: SquareNetwork; recogniser: SquareNetwork };

/** Describes a face by 128 numbers. Two descriptions of one person are near to each other. */
export const describe = async (picture: Colour, face: Face, tools: Describers): Promise<Float32Array> =>
  describeAt(picture, await pointsOf(picture, face, tools), tools);

/** Describes a face whose points are known. */
export const describeAt = async (
  picture: Colour,
  points: readonly Point[],
  { recogniser }: Pick<Describers, 'recogniser'>,
): Promise<Float32Array> => recogniser(await chipOf(picture, squareAround(points, margin), chipSide));

/** The distance of two faces. The recogniser was trained so that it is below 0.6 for one person. */
export const distanceOf = (a: Float32Array, b: Float32Array): number =>
  Math.hypot(...a.map((value, index) => value - (b[index] ?? 0)));

/** The margin around the points of a face, as a share of their extent. */
const margin = 0.2;

/** The square around a face in which its eyes are level. */
export const aligned = async (
  picture: Colour,
  face: Face,
  tools: Pick<Describers, 'landmarks'>,
): Promise<Square> => squareAround(await pointsOf(picture, face, tools), margin);

/**
 * The 68 points of a face: 17 of the jaw, the brows from 17, the nose from 27, the eyes from 36 and the mouth from 48. They are found
 * twice, the second time in a picture that is nearly upright, because the network that finds them saw upright faces only.
 */
export async function pointsOf(
  picture: Colour,
  face: Face,
  { landmarks }: Pick<Describers, 'landmarks'>,
): Promise<Point[]> {
  const pointsIn = async (square: Square): Promise<Point[]> => {
    const shares = await landmarks(await chipOf(picture, square, landmarkSide));
    return Array.from({ length: pointCount }, (_, index) =>
      pointIn(square, shares[2 * index] ?? 0, shares[2 * index + 1] ?? 0),
    );
  };
  const angle = (face.quarters * -Math.PI) / 2;
  const side = Math.max(face.width, face.height);
  return pointsIn(squareAround(await pointsIn({ x: face.x, y: face.y, side, angle }), 0));
}

const pointCount = 68;
const leftEye = [36, 42] as const;
const rightEye = [42, 48] as const;

function squareAround(points: readonly Point[], more: number): Square {
  const [left, right] = [middle(points.slice(...leftEye)), middle(points.slice(...rightEye))];
  const angle = Math.atan2(right[1] - left[1], right[0] - left[0]);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [wide, x] = extent(points.map(([x, y]) => x * cos + y * sin));
  const [high, y] = extent(points.map(([x, y]) => y * cos - x * sin));
  return { x: x * cos - y * sin, y: x * sin + y * cos, side: Math.max(wide, high) * (1 + more), angle };
}

/** A point of the picture, from its place in a square: both are shares of the side of the square. */
function pointIn({ x, y, side, angle }: Square, right: number, down: number): Point {
  const [u, v] = [(right - 0.5) * side, (down - 0.5) * side];
  return [x + u * Math.cos(angle) - v * Math.sin(angle), y + u * Math.sin(angle) + v * Math.cos(angle)];
}

const middle = (points: readonly Point[]): Point => [
  points.reduce((sum, [x]) => sum + x, 0) / points.length,
  points.reduce((sum, [, y]) => sum + y, 0) / points.length,
];

function extent(values: readonly number[]): [length: number, middle: number] {
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  return [greatest - least, (greatest + least) / 2];
}
