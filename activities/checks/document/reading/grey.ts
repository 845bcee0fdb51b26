/** A grey picture, row by row. Black is 0, white is 255. */
export type Grey = { pixels: Uint8Array<ArrayBuffer>; width: number; height: number };

/** The grey value at any point, interpolated between four pixels. Points outside the picture get the value of its edge. */
export const sample = ({ pixels, width, height }: Grey, x: number, y: number): number =>
  valueAt(pixels, width, width - edge, height - edge, x, y);

/** No point that is sampled is nearer to the right or lower side than this, so that there is a pixel behind it. */
const edge = 1.001;

/** Every pixel of a document is drawn by this, so it takes no object apart and makes none. */
function valueAt(
  pixels: Uint8Array,
  width: number,
  columnMax: number,
  rowMax: number,
  x: number,
  y: number,
): number {
  const column = x < 0 ? 0 : x > columnMax ? columnMax : x;
  const row = y < 0 ? 0 : y > rowMax ? rowMax : y;
  const left = column | 0;
  const top = row | 0;
  const right = column - left;
  const down = row - top;
  const index = top * width + left;
  const upper = (pixels[index] as number) * (1 - right) + (pixels[index + 1] as number) * right;
  const lower =
    (pixels[index + width] as number) * (1 - right) + (pixels[index + width + 1] as number) * right;
  return upper * (1 - down) + lower * down;
}

type Origin = (x: number, y: number) => readonly [x: number, y: number];

/** `origin` is called at the corners of tiles of this side only, in pixels. Within a tile, a page or a line is as good as flat. */
const tile = 8;

/**
 * Returns a picture in another size. `origin` maps a point of the new picture to a point of the old picture, and must be smooth. A pixel
 * of the new picture is the mean of four samples.
 */
export function redrawn(from: Grey, size: { width: number; height: number }, origin: Origin): Grey {
  const to: Grey = { pixels: new Uint8Array(size.width * size.height), ...size };
  for (let top = 0; top < size.height; top += tile)
    for (let left = 0; left < size.width; left += tile) drawTile(from, to, left, top, origin);
  return to;
}

function drawTile(from: Grey, to: Grey, left: number, top: number, origin: Origin): void {
  const [ax, ay] = origin(left, top);
  const [bx, by] = origin(left + tile, top);
  const [cx, cy] = origin(left, top + tile);
  const [dx, dy] = origin(left + tile, top + tile);
  const { pixels, width } = from;
  const columnMax = width - edge;
  const rowMax = from.height - edge;
  const right = Math.min(left + tile, to.width);
  const bottom = Math.min(top + tile, to.height);
  for (let y = top; y < bottom; y++) {
    const upper = (y - top + 0.25) / tile;
    const lower = (y - top + 0.75) / tile;
    const x1 = ax + (cx - ax) * upper - 0.5;
    const y1 = ay + (cy - ay) * upper - 0.5;
    const x2 = ax + (cx - ax) * lower - 0.5;
    const y2 = ay + (cy - ay) * lower - 0.5;
    const dx1 = bx + (dx - bx) * upper - 0.5 - x1;
    const dy1 = by + (dy - by) * upper - 0.5 - y1;
    const dx2 = bx + (dx - bx) * lower - 0.5 - x2;
    const dy2 = by + (dy - by) * lower - 0.5 - y2;
    for (let x = left; x < right; x++) {
      const near = (x - left + 0.25) / tile;
      const far = (x - left + 0.75) / tile;
      const sum =
        valueAt(pixels, width, columnMax, rowMax, x1 + dx1 * near, y1 + dy1 * near) +
        valueAt(pixels, width, columnMax, rowMax, x1 + dx1 * far, y1 + dy1 * far) +
        valueAt(pixels, width, columnMax, rowMax, x2 + dx2 * near, y2 + dy2 * near) +
        valueAt(pixels, width, columnMax, rowMax, x2 + dx2 * far, y2 + dy2 * far);
      to.pixels[y * to.width + x] = sum / 4;
    }
  }
}

/**
 * A line of text in a picture. `x` and `y` are its middle in pixels. `angle` is the reading direction in radians, and a positive
 * angle turns downwards. `length` and `height` are in pixels. At a distance of d pixels along the line from its middle, its course is
 * `bend` times d times d pixels below its middle. `taper` is how much higher its right end is than its middle, as a share.
 */
export type Line = {
  x: number;
  y: number;
  angle: number;
  length: number;
  height: number;
  bend?: number;
  taper?: number;
};

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
