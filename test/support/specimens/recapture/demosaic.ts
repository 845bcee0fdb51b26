type Planes = [red: Float32Array, green: Float32Array, blue: Float32Array];

/**
 * The three colours of every pixel from the one that its filter let through (Malvar, He and Cutler, 2004). Red pixels are in even rows and
 * even columns, blue ones in odd rows and odd columns. A pattern as fine as the filters gets colours that it does not have, as in a real camera.
 */
export function demosaiced(raw: Float32Array, width: number, height: number): Planes {
  const planes: Planes = [
    new Float32Array(raw.length),
    new Float32Array(raw.length),
    new Float32Array(raw.length),
  ];
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) fill(planes, raw, x, y, width, height);
  return planes;
}

function fill([red, green, blue]: Planes, raw: Float32Array, x: number, y: number, w: number, h: number) {
  const index = y * w + x;
  const own = raw[index] as number;
  // At the edges the nearest pixel of the same filter stands for one that is not there.
  const [l1, r1] = [x > 0 ? -1 : 1, x < w - 1 ? 1 : -1];
  const [l2, r2] = [x > 1 ? -2 : 0, x < w - 2 ? 2 : 0];
  const [u1, d1] = [y > 0 ? -w : w, y < h - 1 ? w : -w];
  const [u2, d2] = [y > 1 ? -2 * w : 0, y < h - 2 ? 2 * w : 0];
  const across = (raw[index + l1] as number) + (raw[index + r1] as number);
  const down = (raw[index + u1] as number) + (raw[index + d1] as number);
  const farAcross = (raw[index + l2] as number) + (raw[index + r2] as number);
  const farDown = (raw[index + u2] as number) + (raw[index + d2] as number);
  const corners =
    (raw[index + u1 + l1] as number) +
    (raw[index + u1 + r1] as number) +
    (raw[index + d1 + l1] as number) +
    (raw[index + d1 + r1] as number);
  if ((x & 1) === (y & 1)) {
    green[index] = (4 * own + 2 * (across + down) - farAcross - farDown) / 8;
    const other = (6 * own + 2 * corners - 1.5 * (farAcross + farDown)) / 8;
    red[index] = (y & 1) === 0 ? own : other;
    blue[index] = (y & 1) === 0 ? other : own;
    return;
  }
  const sideways = (5 * own + 4 * across - farAcross - corners + 0.5 * farDown) / 8;
  const upright = (5 * own + 4 * down - farDown - corners + 0.5 * farAcross) / 8;
  green[index] = own;
  red[index] = (y & 1) === 0 ? sideways : upright;
  blue[index] = (y & 1) === 0 ? upright : sideways;
}
