import type { Colour } from '#activities/checks/document/masking/colour.ts';
import { distinct, facesIn } from '#activities/checks/document/masking/faces.ts';
import type { Point } from '#activities/checks/document/reading/shapes.ts';
import type { FaceTools } from '#activities/checks/face/compare.ts';
import { type Describers, pointsOf } from '#activities/checks/face/describe.ts';
import { heldBy } from '#activities/checks/liveness/pose.ts';
import { type Surface, valuesOfPlace, wallColour } from './raster.ts';

/** A picture of a face, and where the face is: its middle on the line of the eyes, half its width, the angle of its eyes in radians, and its turn. */
export type Portrait = { picture: Colour; x: number; y: number; half: number; angle: number; turn: number };

/** The portraits of a picture, the widest first. A face that fills its picture is found at small sides alone. */
export async function portraitsOf(
  picture: Colour,
  tools: Pick<FaceTools, 'detector'> & Pick<Describers, 'landmarks'>,
  sides: readonly number[] = [416, 1024],
): Promise<Portrait[]> {
  const found = [];
  for (const side of sides) found.push(...(await facesIn(picture, 0, side, tools.detector)));
  const faces = distinct(found.filter(({ score }) => score >= 0.5));
  const portraits: Portrait[] = [];
  for (const face of faces) portraits.push(alone(placed(picture, await pointsOf(picture, face, tools))));
  return portraits.toSorted((a, b) => b.half - a.half);
}

function placed(picture: Colour, points: readonly Point[]): Portrait {
  const middle = (from: number, to: number): Point => {
    const some = points.slice(from, to);
    return [0, 1].map(
      (axis) => some.reduce((sum, point) => sum + (point[axis] ?? 0), 0) / some.length,
    ) as unknown as Point;
  };
  const [left, right, eyes] = [middle(36, 42), middle(42, 48), middle(36, 48)];
  const [from, to] = [points[0] ?? [0, 0], points[16] ?? [0, 0]];
  const angle = Math.atan2(right[1] - left[1], right[0] - left[0]);
  const half = Math.hypot(to[0] - from[0], to[1] - from[1]) / 2;
  return { picture, x: (from[0] + to[0]) / 2, y: eyes[1], half, angle, turn: heldBy(points).turn };
}

/** The portrait before a plain wall, so that no other face of the picture is near it. */
function alone(portrait: Portrait): Portrait {
  const { pixels, width, height } = portrait.picture;
  const left = Buffer.from(pixels);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const [x, y] = [(column - portrait.x) / portrait.half, (row - portrait.y) / portrait.half];
      const wallShare = smooth((Math.hypot(x / 1.3, (y - 0.2) / 1.8) - 1) / 0.4);
      if (wallShare === 0) continue;
      for (const [plane, colour] of wallColour.entries()) {
        const at = 3 * (row * width + column) + plane;
        left[at] = (pixels[at] ?? 0) * (1 - wallShare) + colour * wallShare;
      }
    }
  return { ...portrait, picture: { pixels: left, width, height } };
}

/** How a head is held: turned to the person's left, lifted and tilted, in degrees. */
export type Pose = { turn: number; lift: number };

/** How far the picture goes around the face, in half widths of the face. */
const around = { left: -4.6, right: 4.6, top: -3.2, bottom: 4.2 } as const;
const step = 0.1;
const grid = {
  columns: Math.round((around.right - around.left) / step) + 1,
  rows: Math.round((around.bottom - around.top) / step) + 1,
};

/** The surface of a head with its surroundings, as it is held. The surroundings stay where they are. */
export function headOf(
  portrait: Portrait,
  { turn, lift }: Pose,
  moved: { x: number; y: number; z: number },
): Surface {
  const { columns, rows } = grid;
  const places = new Float32Array(columns * rows * valuesOfPlace);
  const [cos, sin] = [Math.cos(portrait.angle), Math.sin(portrait.angle)];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [x, y] = [around.left + column * step, around.top + row * step];
      const share = shareOfHead(x, y);
      const [right, down, near] = held(
        [x, y, depthAt(x, y)],
        (turn * share * Math.PI) / 180,
        (lift * share * Math.PI) / 180,
      );
      const u = portrait.x + portrait.half * (x * cos - y * sin);
      const v = portrait.y + portrait.half * (x * sin + y * cos);
      places.set(
        [right + moved.x * share, down + moved.y * share, near + moved.z * share, u, v],
        (row * columns + column) * valuesOfPlace,
      );
    }
  return { picture: portrait.picture, columns, rows, places };
}

/** The neck, around which a head turns and is lifted. */
const neck = { y: 1.3, z: -0.3 } as const;

function held(
  [x, y, z]: readonly [number, number, number],
  turn: number,
  lift: number,
): [number, number, number] {
  const [up, forward] = [y - neck.y, z - neck.z];
  const lifted = [
    up * Math.cos(lift) - forward * Math.sin(lift),
    up * Math.sin(lift) + forward * Math.cos(lift),
  ] as const;
  return [
    x * Math.cos(turn) + lifted[1] * Math.sin(turn),
    lifted[0] + neck.y,
    lifted[1] * Math.cos(turn) - x * Math.sin(turn) + neck.z,
  ];
}

/** 1 on the head, 0 in the surroundings. Between them is a ring that takes up what the head moves. */
function shareOfHead(x: number, y: number): number {
  const from = Math.hypot(x / 1.15, (y - 0.1) / 1.75);
  const share = Math.min(Math.max((1.7 - from) / 0.6, 0), 1);
  return share * share * (3 - 2 * share);
}

/**
 * The depth of a head in half widths of the face. y is 0 on the line of the eyes, and about 1.5 at the chin. The measures are those of a
 * generic head: the tip of the nose stands 8 cm before the ends of the jaw, which are 14 cm apart.
 */
function depthAt(x: number, y: number): number {
  const narrower = 1.05 - 0.22 * smooth((y - 0.5) / 1.0);
  const across = Math.max(0, 1 - (x / narrower) ** 2);
  const along = Math.max(0, 1 - Math.abs((y - 0.05) / 1.75) ** 5);
  const skull = 1.35 * Math.sqrt(across * along);
  return (
    skull - 0.1 * Math.min(1, Math.hypot(x, y) / 2) + noseAt(x, y) + 0.08 * bump(x / 0.3, (y - 1.35) / 0.25)
  );
}

/** The nose rises from between the eyes to its tip, and ends steeply below it. */
function noseAt(x: number, y: number): number {
  const tip = 0.62;
  const height = y < tip ? smooth((y + 0.1) / (tip + 0.1)) : smooth((tip + 0.22 - y) / 0.22);
  return 0.24 * height * Math.exp(-((x / 0.2) ** 2));
}

const bump = (x: number, y: number) => Math.exp(-(x * x + y * y));
function smooth(share: number): number {
  const within = Math.min(Math.max(share, 0), 1);
  return within * within * (3 - 2 * within);
}
