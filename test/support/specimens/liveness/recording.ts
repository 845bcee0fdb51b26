import sharp from 'sharp';
import type { Colour } from '#activities/checks/document/masking/colour.ts';
import type { Movement } from '#contract/movements.ts';
import { randomFrom } from '../photograph.ts';
import { headOf, type Portrait, type Pose } from './head.ts';
import { drawn, type Surface } from './raster.ts';

/** What somebody does before the camera, and how far and fast. Times are in milliseconds, as the page gives them. */
export type Plan = {
  movements: readonly Movement[];
  /** How far the head is turned and lifted, in degrees, and by how much the face becomes wider. */
  degrees?: number;
  closer?: number;
  /** How long the page asks for the middle at the beginning, for each movement, and for the middle after it. */
  middleMs?: number;
  movementMs?: number;
  backMs?: number;
  /** How long a head takes to get there, and until the person has heard what is asked. */
  easeMs?: number;
  reactionMs?: number;
};

/** How the head is held at a moment, and how much nearer it is, in half widths of the face. */
export type Moment = Pose & { x: number; y: number; z: number };

export type Options = {
  seed: number;
  /** How often a frame is taken. */
  everyMs?: number;
  width?: number;
  height?: number;
  /** The pixels of half a face, where the face is in the frame as shares of it, and the tilt of the camera in degrees. */
  scale?: number;
  x?: number;
  y?: number;
  roll?: number;
  /** The share of the light that remains, and the standard deviation of the camera's noise in grey values. */
  light?: number;
  noise?: number;
  quality?: number;
  /** How much a head that is held still moves, in degrees. */
  sway?: number;
  /** What is before the camera at a moment. By default it is the head. */
  subject?: (moment: Moment, ms: number) => Surface[];
};

export type Frame = { atMs: number; jpeg: Buffer };

/** The distance from the camera in half widths of a face: about half a metre. */
const distance = 7;

/** The frames of a person, drawn from one picture of a face, as a camera and a browser give them. The same arguments make the same frames. */
export async function framesOf(portrait: Portrait, plan: Plan, options: Options): Promise<Frame[]> {
  const { seed, everyMs = 250, sway = 1.5, subject = headAt(portrait) } = options;
  const random = randomFrom(seed);
  const swaying = Array.from({ length: 5 }, () => waving(random));
  const camera = Array.from({ length: 4 }, () => waving(random));
  const frames: Frame[] = [];
  let atMs = 0;
  while (atMs < lengthMsOf(plan)) {
    const [turn = 0, lift = 0, x = 0, y = 0, z = 0] = swaying.map((wave) => wave(atMs));
    const pose = posed(plan, atMs);
    const moment = {
      ...{ turn: pose.turn + sway * turn, lift: pose.lift + sway * lift },
      ...{ x: 0.05 * sway * x, y: 0.04 * sway * y, z: pose.z + 0.06 * sway * z },
    };
    const shaken = camera.map((wave) => wave(atMs));
    const seen = seenBy(subject(moment, atMs), options, shaken);
    frames.push({ atMs, jpeg: await takenOf(seen, options, 1 + 0.06 * (shaken[3] ?? 0), random) });
    atMs += everyMs + Math.round(20 * random());
  }
  return frames;
}

const headAt =
  (portrait: Portrait) =>
  ({ turn, lift, ...moved }: Moment): Surface[] => [headOf(portrait, { turn, lift }, moved)];

const usual = { degrees: 25, closer: 1.45, middleMs: 1_500, movementMs: 2_600, backMs: 1_600 } as const;
const person = { easeMs: 500, reactionMs: 450 } as const;

const lengthMsOf = (plan: Plan) => {
  const { middleMs, movementMs, backMs, movements } = { ...usual, ...plan };
  return middleMs + movements.length * (movementMs + backMs);
};

/** How the head is held at a time, without what it sways. */
function posed(plan: Plan, ms: number): Pose & { z: number } {
  const { degrees, closer, middleMs, movementMs, backMs, movements, easeMs, reactionMs } = {
    ...{ ...usual, ...person },
    ...plan,
  };
  const held: Pose & { z: number } = { turn: 0, lift: 0, z: 0 };
  movements.forEach((movement, index) => {
    const startMs = middleMs + index * (movementMs + backMs) + reactionMs;
    const share = Math.min(eased((ms - startMs) / easeMs), 1 - eased((ms - startMs - movementMs) / easeMs));
    if (movement === 'left') held.turn += share * degrees;
    if (movement === 'right') held.turn -= share * degrees;
    if (movement === 'up') held.lift += share * degrees;
    if (movement === 'closer') held.z += distance * (1 - 1 / (1 + share * (closer - 1)));
  });
  return held;
}

function eased(share: number): number {
  const within = Math.min(Math.max(share, 0), 1);
  return within * within * (3 - 2 * within);
}

/** A number from -1 to 1 that changes slowly and does not return. */
function waving(random: () => number): (ms: number) => number {
  const waves = [1, 2.3, 4.1].map((speed) => ({
    speed: speed * (0.7 + 0.6 * random()),
    start: 7 * random(),
  }));
  return (ms) =>
    waves.reduce((sum, { speed, start }) => sum + Math.sin((speed * ms) / 1_600 + start), 0) / waves.length;
}

function seenBy(
  surfaces: readonly Surface[],
  options: Options,
  [x = 0, y = 0, turn = 0]: readonly number[],
): Colour {
  const { width = 480, height = 360, scale = 62, roll = 0 } = options;
  const { x: toRight = 0.5, y: down = 0.47 } = options;
  return drawn(surfaces, {
    ...{ width, height, scale, distance },
    x: ((0.5 - toRight) * width) / scale + 0.05 * x,
    y: 0.3 + ((0.5 - down) * height) / scale + 0.05 * y,
    angle: ((roll + turn) * Math.PI) / 180,
  });
}

/** Noise with a standard deviation of 1. */
const grain = grainOf(randomFrom(3), 65_521);
function grainOf(random: () => number, length: number): Float32Array {
  return new Float32Array(length).map(() => 2 * (random() + random() + random() - 1.5));
}

/** What a camera makes of a picture: less light, noise and a JPEG. */
function takenOf(seen: Colour, options: Options, flicker: number, random: () => number): Promise<Buffer> {
  const { light = 1, noise = 3, quality = 80 } = options;
  const { pixels, width, height } = seen;
  let at = Math.floor(random() * grain.length);
  for (let index = 0; index < pixels.length; index++) {
    // Each stretch begins elsewhere, so that no two frames have the same noise.
    if (index % 1_024 === 0) at = Math.floor(random() * grain.length);
    at = at + 1 < grain.length ? at + 1 : 0;
    pixels[index] = Math.min(
      255,
      Math.max(0, (pixels[index] ?? 0) * light * flicker + noise * (grain[at] ?? 0)),
    );
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();
}
