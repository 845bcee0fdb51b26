import type { Colour } from '#activities/checks/document/masking/colour.ts';

/**
 * A surface in space with a picture on it. `places` has x to the right, y down, z towards the camera, and x and y in the picture, for each
 * corner of a grid, row by row. Lengths in space are in half widths of a face.
 */
export type Surface = { picture: Colour; columns: number; rows: number; places: Float32Array };
export const valuesOfPlace = 5;

/** The wall behind everything. */
export const wallColour = [150, 155, 165] as const;

/** `scale` is how many pixels a length of 1 has in the plane z = 0, and `distance` how far this plane is. The angle is in radians. */
export type Camera = {
  width: number;
  height: number;
  scale: number;
  distance: number;
  x: number;
  y: number;
  angle: number;
};

/** Draws surfaces as a camera sees them. Of two places behind each other, it sees the nearer one. */
export function drawn(surfaces: readonly Surface[], camera: Camera): Colour {
  const { width, height } = camera;
  const seen: Seen = {
    picture: { pixels: Buffer.alloc(3 * width * height, Buffer.from(wallColour)), width, height },
    depths: new Float32Array(width * height).fill(Number.NEGATIVE_INFINITY),
  };
  for (const surface of surfaces) {
    const corners = projected(surface, camera);
    for (let row = 0; row + 1 < surface.rows; row++)
      for (let column = 0; column + 1 < surface.columns; column++) {
        const at = row * surface.columns + column;
        const below = at + surface.columns;
        fill(seen, surface.picture, [corners(at), corners(at + 1), corners(below)]);
        fill(seen, surface.picture, [corners(at + 1), corners(below + 1), corners(below)]);
      }
  }
  return seen.picture;
}

type Seen = { picture: Colour; depths: Float32Array };
/** x and y in the frame, the depth, and x and y in the picture of the surface. */
type Corner = readonly [x: number, y: number, z: number, u: number, v: number];

function projected({ places }: Surface, camera: Camera): (index: number) => Corner {
  const [cos, sin] = [Math.cos(camera.angle), Math.sin(camera.angle)];
  const focus = camera.scale * camera.distance;
  const all: Corner[] = [];
  for (let at = 0; at < places.length; at += valuesOfPlace) {
    const [x = 0, y = 0, z = 0, u = 0, v = 0] = places.subarray(at, at + valuesOfPlace);
    const nearer = focus / Math.max(camera.distance - z, 0.5);
    const [right, down] = [(x - camera.x) * nearer, (y - camera.y) * nearer];
    all.push([
      camera.width / 2 + right * cos - down * sin,
      camera.height / 2 + right * sin + down * cos,
      z,
      u,
      v,
    ]);
  }
  return (index) => all[index] ?? [0, 0, 0, 0, 0];
}

function fill({ picture, depths }: Seen, source: Colour, [a, b, c]: readonly [Corner, Corner, Corner]): void {
  const area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
  if (area === 0) return;
  const top = Math.max(0, Math.ceil(Math.min(a[1], b[1], c[1])));
  const bottom = Math.min(picture.height - 1, Math.floor(Math.max(a[1], b[1], c[1])));
  const left = Math.max(0, Math.ceil(Math.min(a[0], b[0], c[0])));
  const right = Math.min(picture.width - 1, Math.floor(Math.max(a[0], b[0], c[0])));
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) {
      const ofB = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area;
      const ofC = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area;
      const ofA = 1 - ofB - ofC;
      if (ofA < -tolerance || ofB < -tolerance || ofC < -tolerance) continue;
      const z = ofA * a[2] + ofB * b[2] + ofC * c[2];
      const at = y * picture.width + x;
      if (z < (depths[at] ?? 0)) continue;
      depths[at] = z;
      paint(
        picture.pixels,
        3 * at,
        source,
        ofA * a[3] + ofB * b[3] + ofC * c[3],
        ofA * a[4] + ofB * b[4] + ofC * c[4],
      );
    }
}

/** Keeps a pixel on the edge of two triangles from belonging to none. */
const tolerance = 1e-6;

/** Writes the colour between four pixels of a picture. Beyond its border the picture goes on with the colour of the border. */
function paint(target: Buffer, at: number, { pixels, width, height }: Colour, u: number, v: number): void {
  const [x, y] = [Math.min(Math.max(u, 0), width - 1), Math.min(Math.max(v, 0), height - 1)];
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [toRight, down] = [x - left, y - top];
  const one = 3 * (top * width + left);
  const beside = left + 1 < width ? 3 : 0;
  const below = top + 1 < height ? 3 * width : 0;
  for (let plane = 0; plane < 3; plane++) {
    const from = one + plane;
    const upper = (pixels[from] ?? 0) * (1 - toRight) + (pixels[from + beside] ?? 0) * toRight;
    const lower =
      (pixels[from + below] ?? 0) * (1 - toRight) + (pixels[from + below + beside] ?? 0) * toRight;
    target[at + plane] = upper * (1 - down) + lower * down;
  }
}
