import sharp from 'sharp';
import { demosaiced } from './demosaic.ts';

/** Light by red, green and blue, from 0 to 1: in proportion to its energy, not to its grey value. */
export type Light = [red: number, green: number, blue: number];

/** The camera of a phone, and how it makes a picture of what its sensor saw. */
export type Sensor = {
  /** The electrons that white frees in a pixel. Few of them make noise. */
  electrons: number;
  /** The radius in pixels within which colours are smoothed against noise. */
  smooth: number;
  /** How much edges are made stronger. */
  sharpen: number;
  quality: number;
};

/** How much each filter of the sensor lets through of red, green and blue light. Each of them sees something of its neighbours. */
const filters = [
  [0.84, 0.14, 0.02],
  [0.13, 0.75, 0.12],
  [0.03, 0.18, 0.79],
] as const;
const [toRed, toGreen, toBlue] = inverse(filters);

/** Exposes each pixel behind its own filter, in squares of a red, a blue and two green ones, and makes a JPEG of that. */
export async function developed(
  width: number,
  height: number,
  lightAt: (x: number, y: number, into: Light) => void,
  sensor: Sensor,
  random: () => number,
): Promise<Buffer> {
  const raw = new Float32Array(width * height);
  const light: Light = [0, 0, 0];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      lightAt(x, y, light);
      const [a, b, c] = filters[(x & 1) + (y & 1)] as readonly [number, number, number];
      const freed = sensor.electrons * Math.max(a * light[0] + b * light[1] + c * light[2], 0);
      const noise = 2 * (random() + random() + random() - 1.5) * Math.sqrt(freed + readingNoise);
      raw[y * width + x] = Math.min((freed + noise) / sensor.electrons, 1.02);
    }
  const planes = demosaiced(raw, width, height);
  const pixels = finished(planes, width, height, sensor);
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: sensor.quality })
    .toBuffer();
}

/** The variance of what is read from a pixel in the dark, in electrons. */
const readingNoise = 20;

/** Corrects the colours, gives them the curve of sRGB, smooths colours and sharpens edges. */
function finished(
  [red, green, blue]: readonly [Float32Array, Float32Array, Float32Array],
  width: number,
  height: number,
  { smooth, sharpen }: Sensor,
): Uint8Array {
  const [bright, warm, cold] = [
    new Float32Array(red.length),
    new Float32Array(red.length),
    new Float32Array(red.length),
  ];
  for (let at = 0; at < red.length; at++) {
    const [x, y, z] = [red[at] as number, green[at] as number, blue[at] as number];
    const r = shownAs(toRed[0] * x + toRed[1] * y + toRed[2] * z);
    const g = shownAs(toGreen[0] * x + toGreen[1] * y + toGreen[2] * z);
    const b = shownAs(toBlue[0] * x + toBlue[1] * y + toBlue[2] * z);
    const grey = 0.299 * r + 0.587 * g + 0.114 * b;
    bright[at] = grey;
    warm[at] = r - grey;
    cold[at] = b - grey;
  }
  const [smoothWarm, smoothCold] = [warm, cold].map((plane) => blurred(plane, width, height, smooth)) as [
    Float32Array,
    Float32Array,
  ];
  const soft = blurred(bright, width, height, 1);
  const pixels = new Uint8Array(3 * red.length);
  for (let at = 0; at < red.length; at++) {
    const grey = (bright[at] as number) + sharpen * ((bright[at] as number) - (soft[at] as number));
    const [more, less] = [smoothWarm[at] as number, smoothCold[at] as number];
    pixels[3 * at] = within(grey + more);
    pixels[3 * at + 1] = within(grey - (0.299 * more + 0.114 * less) / 0.587);
    pixels[3 * at + 2] = within(grey + less);
  }
  return pixels;
}

const within = (value: number) => Math.min(255, Math.max(0, Math.round(value)));

/** The curve of sRGB, and its inverse for whole grey values, both as tables. */
const steps = 4096;
const curve = Float32Array.from({ length: steps + 1 }, (_, index) => {
  const value = index / steps;
  return 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
});
const shownAs = (energy: number) =>
  curve[energy <= 0 ? 0 : energy >= 1 ? steps : (energy * steps + 0.5) | 0] as number;

const energies = Float32Array.from({ length: 256 }, (_, grey) => {
  const value = grey / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});
export const energyOf = (grey: number): number => energies[grey] as number;

/** The mean of squares of this radius, along rows and then along columns. */
function blurred(plane: Float32Array, width: number, height: number, radius: number): Float32Array {
  if (radius === 0) return plane;
  const along = (from: Float32Array, count: number, lines: number, step: number, next: number) => {
    const to = new Float32Array(from.length);
    for (let line = 0; line < lines; line++) {
      const [first, last] = [line * next, line * next + (count - 1) * step];
      const ahead = radius * step;
      let sum = radius * (from[first] as number);
      for (let index = 0; index < radius; index++) sum += from[first + index * step] as number;
      for (let at = first; at <= last; at += step) {
        sum += from[Math.min(at + ahead, last)] as number;
        to[at] = sum / (2 * radius + 1);
        sum -= from[Math.max(at - ahead, first)] as number;
      }
    }
    return to;
  };
  return along(along(plane, width, height, 1, width), height, width, width, 1);
}

type Row = readonly [number, number, number];
type Matrix = readonly Row[];

function inverse(of: Matrix): [Row, Row, Row] {
  const at = (row: number, column: number) => of[row % 3]?.[column % 3] ?? 0;
  const minor = (row: number, column: number) =>
    at(row + 1, column + 1) * at(row + 2, column + 2) - at(row + 1, column + 2) * at(row + 2, column + 1);
  const whole = at(0, 0) * minor(0, 0) + at(0, 1) * minor(0, 1) + at(0, 2) * minor(0, 2);
  const row = (at: number): Row => [minor(0, at) / whole, minor(1, at) / whole, minor(2, at) / whole];
  return [row(0), row(1), row(2)];
}
