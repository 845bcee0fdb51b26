import sharp from 'sharp';
import { type Canvas, canvas, sample } from './canvas.ts';

export type Point = readonly [x: number, y: number];
/** Where the corners of the card are in the picture: upper left, upper right, lower right, lower left, as the card is read. */
export type Corners = readonly [Point, Point, Point, Point];

export type Variant = {
  /** Degrees clockwise around the middle of the picture. */
  turn?: number;
  /** How much shorter the upper edge appears than the lower edge. */
  recede?: number;
  /** The share of the picture's width that the card takes. */
  share?: number;
  /** The blur: sigma in pixels. */
  blur?: number;
  /** The share of the light that remains. */
  light?: number;
  /** The standard deviation of the camera's noise, in grey values. */
  noise?: number;
  /** The middle of a lamp's reflection, from 0 to 1 of the picture. */
  lamp?: Point;
  quality?: number;
};

const size = { width: 1920, height: 1440 } as const;

/** Takes a picture of a card on a table, as a camera would. The same arguments make the same picture. */
export async function photograph(card: Canvas, variant: Variant = {}): Promise<Buffer> {
  const { blur = 0, light = 1, noise = 2, lamp, quality = 90 } = variant;
  const toCard = mapping(cornersIn(card, variant), [
    [0, 0],
    [card.width, 0],
    [card.width, card.height],
    [0, card.height],
  ]);
  const scene = canvas(size.width, size.height, (x, y) => {
    const [across, down] = toCard(x + 0.5, y + 0.5);
    const onCard = across >= 0 && down >= 0 && across < card.width && down < card.height;
    const surface = onCard ? sample(card, across - 0.5, down - 0.5) : 92 + 8 * Math.sin(x / 5 + y / 300);
    const shine =
      lamp === undefined
        ? 0
        : 320 *
          Math.exp(-((Math.hypot(x / size.width - lamp[0], y / size.width - lamp[1] * 0.75) / 0.06) ** 4));
    return Math.min(255, surface * (0.92 + (0.12 * x) / size.width) + shine);
  });
  const lens = sharp(scene.pixels, { raw: { ...size, channels: 1 } });
  const seen = await (blur > 0 ? lens.blur(blur) : lens).extractChannel(0).raw().toBuffer();
  const random = randomFrom(7);
  for (const [index, pixel] of seen.entries())
    seen[index] = Math.min(
      255,
      Math.max(0, pixel * light + noise * (random() + random() + random() - 1.5) * 2),
    );
  return sharp(coloured(seen, toCard, card), { raw: { ...size, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();
}

/** How far the red of the paper changes from place to place. */
const tint = 14;

/** Gives the paper of a card colours that change from place to place, and leaves the brightness of every pixel as it is. */
function coloured(
  grey: Buffer,
  toCard: (x: number, y: number) => readonly [number, number],
  card: Canvas,
): Buffer {
  const pixels = Buffer.alloc(3 * grey.length);
  grey.forEach((value, index) => {
    const [across, down] = toCard(index % size.width, Math.floor(index / size.width));
    const isOn = across >= 0 && down >= 0 && across < card.width && down < card.height;
    const warm = isOn ? (tint * value * Math.sin(across / 90 + down / 160)) / 208 : 0;
    pixels[3 * index] = within(value + warm);
    pixels[3 * index + 1] = within(value - 0.32 * warm);
    pixels[3 * index + 2] = within(value - warm);
  });
  return pixels;
}

const within = (value: number) => Math.min(255, Math.max(0, Math.round(value)));

function cornersIn(card: Canvas, { turn = 0, recede = 0, share = 0.72 }: Variant): Corners {
  const [middleX, middleY] = [size.width / 2, size.height / 2];
  const angle = (turn * Math.PI) / 180;
  const wide = size.width * share * (Math.abs(Math.sin(angle)) > 0.9 ? size.height / size.width : 1);
  const high = (wide * card.height) / card.width;
  const at = (right: number, down: number): Point => {
    const x = right * (wide / 2) * (down < 0 ? 1 - recede : 1);
    const y = down * (high / 2) * (1 - recede / 2);
    return [
      middleX + x * Math.cos(angle) - y * Math.sin(angle),
      middleY + x * Math.sin(angle) + y * Math.cos(angle),
    ];
  };
  return [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)];
}

/** Returns the projective map from four points to four others. */
export function mapping(from: Corners, to: Corners): (x: number, y: number) => [number, number] {
  const rows = from.flatMap(([x, y], index) => {
    const [u, v] = to[index] ?? [0, 0];
    return [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, v],
    ];
  });
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = solved(rows);
  return (x, y) => {
    const depth = g * x + h * y + 1;
    return [(a * x + b * y + c) / depth, (d * x + e * y + f) / depth];
  };
}

/** Solves the equations by Gauss-Jordan elimination with the largest pivot first. */
function solved(rows: number[][]): number[] {
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const rest = rows.slice(column).toSorted((p, q) => Math.abs(q[column] ?? 0) - Math.abs(p[column] ?? 0));
    rows.splice(column, size - column, ...rest);
    const pivot = rows[column]?.[column] ?? 1;
    const divided = (rows[column] ?? []).map((value) => value / pivot);
    rows.forEach((row, index) => {
      const factor = row[column] ?? 0;
      rows[index] = index === column ? divided : row.map((value, i) => value - factor * (divided[i] ?? 0));
    });
  }
  return rows.map((row) => row[size] ?? 0);
}

/** Returns a generator of numbers from 0 to 1 that are the same in every run. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
