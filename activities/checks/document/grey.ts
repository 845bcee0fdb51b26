/** A grey picture, row by row. Black is 0, white is 255. */
export type Grey = { pixels: Uint8Array<ArrayBuffer>; width: number; height: number };

/** The grey value at any point, interpolated between four pixels. Points outside the picture get the value of its edge. */
export function sample({ pixels, width, height }: Grey, x: number, y: number): number {
  const column = Math.min(Math.max(x, 0), width - 1.001);
  const row = Math.min(Math.max(y, 0), height - 1.001);
  const left = Math.floor(column);
  const top = Math.floor(row);
  const right = column - left;
  const down = row - top;
  const index = top * width + left;
  const upper = (pixels[index] ?? 0) * (1 - right) + (pixels[index + 1] ?? 0) * right;
  const lower = (pixels[index + width] ?? 0) * (1 - right) + (pixels[index + width + 1] ?? 0) * right;
  return upper * (1 - down) + lower * down;
}

/**
 * Returns a picture in another size. `origin` maps a point of the new picture to a point of the old picture. A pixel of the new
 * picture is the mean of four samples.
 */
export function redrawn(
  from: Grey,
  size: { width: number; height: number },
  origin: (x: number, y: number) => readonly [x: number, y: number],
): Grey {
  const pixels = new Uint8Array(size.width * size.height);
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) {
      let sum = 0;
      for (const [right, down] of quarters) {
        const [column, row] = origin(x + right, y + down);
        sum += sample(from, column - 0.5, row - 0.5);
      }
      pixels[y * size.width + x] = sum / quarters.length;
    }
  return { pixels, ...size };
}

const quarters = [
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
] as const;

/**
 * A line of text in a picture. `x` and `y` are its middle in pixels. `angle` is the reading direction in radians, and a positive
 * angle turns downwards. `length` and `height` are in pixels.
 */
export type Line = { x: number; y: number; angle: number; length: number; height: number };

/**
 * Cuts out a line with a margin of `pad` times the height of the line, and makes the line horizontal. The result is `height` pixels
 * high.
 */
export function straightened(picture: Grey, line: Line, height: number, pad: number): Grey {
  const scale = (line.height * (1 + 2 * pad)) / height;
  const width = Math.max(1, Math.round((line.length + 2 * pad * line.height) / scale));
  const [cos, sin] = [Math.cos(line.angle), Math.sin(line.angle)];
  return redrawn(picture, { width, height }, (x, y) => {
    const [along, across] = [(x - width / 2) * scale, (y - height / 2) * scale];
    return [line.x + along * cos - across * sin, line.y + along * sin + across * cos];
  });
}
