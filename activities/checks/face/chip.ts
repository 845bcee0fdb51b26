import sharp from 'sharp';
import type { Colour } from '../document/masking/colour.ts';

/** A square of a picture. `x` and `y` are its middle in pixels, and `angle` is its turn clockwise in radians. */
export type Square = { x: number; y: number; side: number; angle: number };

/** The same picture in fewer pixels, so that one pixel in it is not lost between two that are read. */
export async function reducedFor(
  picture: Colour,
  square: Square,
  side: number,
): Promise<{ picture: Colour; square: Square }> {
  const scale = Math.min(1, side / square.side);
  const [width, height] = [picture.width, picture.height].map((length) =>
    Math.max(1, Math.round(length * scale)),
  );
  if (scale === 1 || width === undefined || height === undefined) return { picture, square };
  const { data } = await sharp(picture.pixels, {
    raw: { width: picture.width, height: picture.height, channels: 3 },
  })
    .resize({ width, height, fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const by = (length: number) => length * scale;
  return {
    picture: { pixels: data, width, height },
    square: { ...square, x: by(square.x), y: by(square.y), side: by(square.side) },
  };
}

/** Cuts a square out of a picture and draws it upright with the given side, plane by plane. Outside the picture it is black. */
export async function chipOf(original: Colour, wanted: Square, side: number): Promise<Float32Array> {
  const { picture, square } = await reducedFor(original, wanted, side);
  const planes = new Float32Array(3 * side * side);
  const [cos, sin] = [Math.cos(square.angle), Math.sin(square.angle)];
  const step = square.side / side;
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      const right = (column + 0.5 - side / 2) * step;
      const down = (row + 0.5 - side / 2) * step;
      const x = square.x + right * cos - down * sin - 0.5;
      const y = square.y + right * sin + down * cos - 0.5;
      for (let plane = 0; plane < 3; plane++)
        planes[plane * side * side + row * side + column] = between(picture, x, y, plane);
    }
  return planes;
}

/** The value between four pixels. */
function between({ pixels, width, height }: Colour, x: number, y: number, plane: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, down] = [x - left, y - top];
  const at = (column: number, row: number) =>
    column < 0 || row < 0 || column >= width || row >= height
      ? 0
      : (pixels[3 * (row * width + column) + plane] ?? 0);
  return (
    (at(left, top) * (1 - right) + at(left + 1, top) * right) * (1 - down) +
    (at(left, top + 1) * (1 - right) + at(left + 1, top + 1) * right) * down
  );
}
