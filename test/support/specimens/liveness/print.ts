import type { Portrait, Pose } from './head.ts';
import { type Surface, valuesOfPlace } from './raster.ts';

/** A photograph of a face on paper: how large it is in half widths of the face, and the radius of the cylinder it is bent around. */
export type Print = { portrait: Portrait; bent?: number };

const around = { across: 1.9, top: -2.2, bottom: 2.6 } as const;
const grid = { columns: 41, rows: 49 } as const;
const hand = 0.2;

/** The surface of a print that a hand holds turned, lifted and moved. */
export function printOf(
  { portrait, bent }: Print,
  pose: Pose,
  moved: { x: number; y: number; z: number },
): Surface {
  const places = new Float32Array(grid.columns * grid.rows * valuesOfPlace);
  const [turn, lift] = [(pose.turn * Math.PI) / 180, (pose.lift * Math.PI) / 180];
  const [cos, sin] = [Math.cos(portrait.angle), Math.sin(portrait.angle)];
  for (let row = 0; row < grid.rows; row++)
    for (let column = 0; column < grid.columns; column++) {
      const x = around.across * ((2 * column) / (grid.columns - 1) - 1);
      const y = around.top + (row * (around.bottom - around.top)) / (grid.rows - 1);
      const [flat, deep] =
        bent === undefined ? [x, 0] : [bent * Math.sin(x / bent), bent * (Math.cos(x / bent) - 1)];
      const up = y - hand;
      const [lifted, near] = [
        up * Math.cos(lift) - deep * Math.sin(lift),
        up * Math.sin(lift) + deep * Math.cos(lift),
      ];
      places.set(
        [
          flat * Math.cos(turn) + near * Math.sin(turn) + moved.x,
          lifted + hand + moved.y,
          near * Math.cos(turn) - flat * Math.sin(turn) + moved.z,
          portrait.x + portrait.half * (x * cos - y * sin),
          portrait.y + portrait.half * (x * sin + y * cos),
        ],
        (row * grid.columns + column) * valuesOfPlace,
      );
    }
  return { picture: portrait.picture, ...grid, places };
}
