import type { MeasuredFrame } from '#contract/movements.ts';
import type { Point } from '../document/reading/shapes.ts';

export type Held = Pick<MeasuredFrame, 'turn' | 'lift'> & {
  /** The size of the face in pixels. Neither a turn nor a lift makes it much smaller. */
  size: number;
};

/**
 * How a head is held, from the 68 points of its face. Both numbers are ratios along the line of the eyes and across it: they compare places that
 * are near with places that are far behind them. A flat photograph has all of them in one plane, so turning it by hand changes the ratios
 * little: up to 45 degrees by no more than 8 (docs/choices/liveness.md).
 *
 * The factors make degrees of them, as far as rendered heads of photographs and a drawing show it. They are no exact angles.
 */
export function heldBy(points: readonly Point[]): Held {
  const at = levelled(points);
  const [eyes, mouth] = [middle(at.slice(...eyePoints)), middle(at.slice(...mouthPoints))];
  const [nose, chin] = [middle(at.slice(...nosePoints)), at[chinPoint] ?? eyes];
  const [left, right] = [middle(at.slice(...leftEnd)), middle(at.slice(...rightEnd))];
  const half = Math.max((right[0] - left[0]) / 2, 1);
  const high = Math.max(chin[1] - eyes[1], 1);
  const ends = (left[1] + right[1]) / 2;
  const toMouth = Math.max(mouth[1] - eyes[1], 1);
  return {
    turn: degreesOfTurn * ((nose[0] - (left[0] + right[0]) / 2) / half),
    // Of a head that is lifted, the nose comes up to the eyes, and the ends of the jaw go down towards the chin.
    lift: degreesOfLift * ((ends - eyes[1]) / high - (nose[1] - eyes[1]) / toMouth),
    size: Math.max(2 * half, usualShape * high),
  };
}

const degreesOfTurn = 43;
const degreesOfLift = 68;
/** The width between the ends of the jaw, as a factor of the height from the eyes to the chin. */
const usualShape = 1.35;

const eyePoints = [36, 48] as const;
const nosePoints = [29, 31] as const;
const mouthPoints = [48, 68] as const;
const leftEnd = [0, 2] as const;
const rightEnd = [15, 17] as const;
const chinPoint = 8;

/** The points, turned so that the eyes are level. */
function levelled(points: readonly Point[]): Point[] {
  const [left, right] = [middle(points.slice(36, 42)), middle(points.slice(42, 48))];
  const angle = Math.atan2(right[1] - left[1], right[0] - left[0]);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return points.map(([x, y]): Point => [x * cos + y * sin, y * cos - x * sin]);
}

const middle = (points: readonly Point[]): Point => [
  points.reduce((sum, [x]) => sum + x, 0) / points.length,
  points.reduce((sum, [, y]) => sum + y, 0) / points.length,
];
