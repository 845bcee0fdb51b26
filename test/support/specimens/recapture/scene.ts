import sharp from 'sharp';
import type { Drawing } from '../bsn/draw.ts';
import { perMm } from '../bsn/draw.ts';
import { axesOf } from '../field/camera.ts';
import { randomFrom } from '../photograph.ts';
import { developed, energyOf, type Light, type Sensor } from './sensor.ts';
import { grainAt, type Surface } from './surfaces.ts';

/** A camera above a document. Angles are in degrees, lengths in millimetres of the document. */
export type Scene = {
  drawing: Drawing;
  lines: FineLine[];
  /** What shows the document. `spread` is that of lens and pixel together. */
  surface: (spread: number) => Surface;
  /** How far apart two things must be to be told apart in what is shown. */
  detail: number;
  /** The distance of the pixels of a screen. */
  finest?: number;
  ground: Ground;
  pitch: number;
  yaw: number;
  roll: number;
  /** The pixels across the whole picture, and the share of them that the document takes. */
  across: number;
  share: number;
  /** The spread of the lens in pixels. */
  blur: number;
  /** How bright the middle is, how much the light falls off, and how strong the bands of a screen are that is drawn anew line by line. */
  light: { cast: Light; bright: number; slope: number; bands: number; bandPixels: number; glare: number };
  sensor: Sensor;
  seed: number;
};

/** Lines of one ink that wind. `share` is the width of a line as a share of their distance. */
export type FineLine = { mm: number; turn: number; wind: number; strength: number; ink: Light };

export type Ground = {
  kind: 'plain' | 'weave' | 'wood' | 'grid' | 'keys' | 'viewer';
  mm: number;
  colour: Light;
};

/** Where the document is in the picture: its text, and which places lie on it. */
export type Place = {
  width: number;
  height: number;
  area: { left: number; top: number; right: number; bottom: number };
  isOn: (x: number, y: number) => boolean;
};

/** The camera page keeps so much around a document. */
const margin = 0.07;
/** The text of a document begins so far from its edge, in millimetres. */
const edgeMm = 4;

/** A part of a picture. Its left and its top are even, so that its filters are those of the whole picture. */
export type Part = { left: number; top: number; width: number; height: number };

/** The JPEG of the camera, or that of a part of its picture. */
export async function shotOf(scene: Scene, part?: Part): Promise<Buffer> {
  const { frame, toDocument, perPixel } = viewOf(scene);
  const { left, top, ...size } = part ?? { left: 0, top: 0, ...frame };
  const random = randomFrom(scene.seed);
  const spread = perPixel * Math.hypot(scene.blur, 0.29);
  const inked = await inkOf(scene, spread);
  const surface = scene.surface(spread);
  const { cast, bright, slope, bands, bandPixels, glare } = scene.light;
  const lightAt = (column: number, row: number, into: Light) => {
    const [x, y] = [left + column, top + row];
    const [across, down] = toDocument(x + 0.5, y + 0.5);
    const isOn = inked(across, down, into);
    if (isOn || scene.ground.kind === 'viewer') surface(into, across, down);
    const shine =
      glare === 0
        ? 0
        : glare * Math.exp(-(((x / frame.width - 0.7) / 0.3) ** 2) - ((y / frame.height - 0.2) / 0.25) ** 2);
    const all =
      bright * (1 + slope * (x / frame.width - 0.5)) * (1 + bands * Math.sin((2 * Math.PI * y) / bandPixels));
    for (let plane = 0; plane < 3; plane++)
      into[plane] = all * (cast[plane] as number) * (into[plane] as number) + shine;
  };
  return developed(size.width, size.height, lightAt, scene.sensor, random);
}

export function placeOf(scene: Scene): Place {
  const { frame, toDocument, toPicture, wide, high } = viewOf(scene);
  const corners = cornersOf(wide - 2 * edgeMm, high - 2 * edgeMm).map(toPicture);
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return {
    ...frame,
    area: { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) },
    isOn: (x, y) => {
      const [across, down] = toDocument(x, y);
      return Math.abs(across) < wide / 2 && Math.abs(down) < high / 2;
    },
  };
}

/** How many pixels of the camera a pixel of the screen takes, if it is a screen. */
export const seenOf = (scene: Scene): number | undefined =>
  scene.finest === undefined ? undefined : scene.finest / viewOf(scene).perPixel;

const cornersOf = (wide: number, high: number) =>
  [-1, 1].flatMap((right) => [-1, 1].map((below) => [(right * wide) / 2, (below * high) / 2] as const));

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The maps between the picture and the document, whose middle is the origin. Only what the camera page would keep is in the picture. */
function viewOf({ drawing, pitch, yaw, roll, across, share }: Scene) {
  const [wide, high] = [drawing.width / perMm, drawing.height / perMm];
  // 65 degrees of view across the width.
  const focal = 0.78 * across;
  const distance = (focal * wide) / (across * share);
  const axes = axesOf(radians(pitch), radians(yaw), radians(roll));
  const [right, below, away] = axes;
  const seen = (x: number, y: number) => {
    const part = (axis: 0 | 1 | 2) => right[axis] * x + below[axis] * y;
    const scale = focal / (part(2) + distance);
    return [part(0) * scale, part(1) * scale] as const;
  };
  const corners = cornersOf(wide, high).map(([x, y]) => seen(x, y));
  const reach = (at: 0 | 1, way: 1 | -1) =>
    way * Math.max(...corners.map((corner) => way * corner[at])) + way * margin * across * share;
  const [left, top] = [Math.round(reach(0, -1)), Math.round(reach(1, -1))];
  const frame = { width: Math.round(reach(0, 1)) - left, height: Math.round(reach(1, 1)) - top };
  const toDocument = (x: number, y: number) => {
    const [u, v] = [x + left, y + top];
    const depth = away[0] * u + away[1] * v + away[2] * focal;
    const way = (distance * away[2]) / depth;
    return [
      way * (right[0] * u + right[1] * v + right[2] * focal) - distance * right[2],
      way * (below[0] * u + below[1] * v + below[2] * focal) - distance * below[2],
    ] as const;
  };
  const toPicture = ([x, y]: readonly [number, number]) => {
    const [u, v] = seen(x, y);
    return [u - left, v - top] as const;
  };
  return { frame, toDocument, toPicture, wide, high, perPixel: distance / focal };
}

/** The light of the document and of what lies around it. Returns whether a place is on the document. */
async function inkOf({ drawing, lines, detail, ground }: Scene, spread: number) {
  const { width, height } = drawing;
  const raw = { raw: { width, height, channels: 3 as const } };
  const seen = Math.hypot(spread, detail);
  const pixels = await sharp(drawing.pixels, raw)
    .blur(Math.max(0.3, seen * perMm))
    .raw()
    .toBuffer();
  const energies = new Float32Array(pixels.length);
  for (let at = 0; at < pixels.length; at++) energies[at] = energyOf(pixels[at] as number);
  const fine = lines.map((line) => lineOf(line, seen));
  return (across: number, down: number, into: Light): boolean => {
    const [column, row] = [across * perMm + width / 2, down * perMm + height / 2];
    if (column < 1 || row < 1 || column >= width - 2 || row >= height - 2) {
      groundAt(ground, across, down, into);
      return false;
    }
    const [left, top] = [Math.floor(column), Math.floor(row)];
    const [right, below] = [column - left, row - top];
    for (let plane = 0; plane < 3; plane++) {
      const at = 3 * (top * width + left) + plane;
      const upper = (energies[at] as number) * (1 - right) + (energies[at + 3] as number) * right;
      const lower =
        (energies[at + 3 * width] as number) * (1 - right) + (energies[at + 3 * width + 3] as number) * right;
      into[plane] = upper * (1 - below) + lower * below;
    }
    for (const line of fine) layLine(line, across, down, into);
    return true;
  };
}

type InkedLine = FineLine & { left: number; cos: number; sin: number };

function lineOf(line: FineLine, seen: number): InkedLine {
  const left = line.strength * Math.exp(-2 * (Math.PI * (seen / line.mm)) ** 2);
  return { ...line, left, cos: Math.cos(line.turn), sin: Math.sin(line.turn) };
}

function layLine(line: InkedLine, across: number, down: number, into: Light): void {
  const along = across * line.cos + down * line.sin;
  const over = down * line.cos - across * line.sin;
  const wave =
    (2 * Math.PI * along) / line.mm +
    line.wind * Math.sin(over / 4.3) +
    0.6 * line.wind * Math.sin(over / 1.9 + along / 7);
  const cover = 0.5 * line.strength + 0.5 * line.left * Math.cos(wave);
  into[0] *= 1 - cover * line.ink[0];
  into[1] *= 1 - cover * line.ink[1];
  into[2] *= 1 - cover * line.ink[2];
}

function groundAt({ kind, mm, colour }: Ground, across: number, down: number, into: Light): void {
  const shade = shadeAt(kind, mm, across, down);
  for (let plane = 0; plane < 3; plane++) into[plane] = shade * (colour[plane] as number);
}

function shadeAt(kind: Ground['kind'], mm: number, across: number, down: number): number {
  if (kind === 'weave')
    return (
      0.7 +
      0.3 * Math.cos((2 * Math.PI * across) / mm) * Math.cos((2 * Math.PI * down) / mm) +
      0.2 * grainAt(across / mm, down / mm, 9)
    );
  if (kind === 'wood') return 0.6 + 0.5 * grainAt(across / 9, down / 0.6, 8);
  const [right, below] = [across / mm - Math.floor(across / mm), down / mm - Math.floor(down / mm)];
  if (kind === 'grid') return right < 0.06 || below < 0.06 ? 0.2 : 1;
  if (kind === 'keys')
    return right < 0.15 || below < 0.15 ? 0.15 : 0.5 + 0.2 * grainAt(across / 0.3, down / 0.3, 7);
  return 1;
}
