import type { Line } from './grey.ts';

export type Point = readonly [x: number, y: number];
/** The corners of a convex shape in pixels of a picture, in order. */
export type Shape = readonly Point[];

/** The shape around a line of text, with margins as shares of the height of the line. */
export function shapeOf({ x, y, angle, length, height }: Line, along: number, across: number): Shape {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const right = length / 2 + along * height;
  const down = height * (0.5 + across);
  return [
    [-right, -down],
    [right, -down],
    [right, down],
    [-right, down],
  ].map(([u = 0, v = 0]): Point => [x + u * cos - v * sin, y + u * sin + v * cos]);
}

/** The shape, larger by a factor around its middle. */
export function grown(shape: Shape, factor: number): Shape {
  const middle = (axis: 0 | 1) => shape.reduce((sum, point) => sum + point[axis], 0) / shape.length;
  const [x, y] = [middle(0), middle(1)];
  return shape.map(([px, py]): Point => [x + (px - x) * factor, y + (py - y) * factor]);
}
