import type { Movement } from '#contract/movements.ts';
import { movements } from '#contract/movements.ts';
import { randomFrom } from '../photograph.ts';
import { headOf, type Portrait } from './head.ts';
import { printOf } from './print.ts';
import { type Frame, framesOf, type Moment, type Options, type Plan } from './recording.ts';
import type { Source } from './sources.ts';

/** What is sent to be judged. */
export type Sent = { asked: readonly Movement[]; selfie: Buffer; frames: Frame[] };
export type Kind = {
  name: string;
  /** Whether a person did as asked. A recording that passes by design counts as one. */
  isHonest: boolean;
  make(source: Source, seed: number): Promise<Sent>;
};

/** Three movements in random order, the same one never twice in a row. */
export function askedWith(random: () => number): Movement[] {
  const asked: Movement[] = [];
  while (asked.length < 3) {
    const next = movements[Math.floor(random() * movements.length)] ?? 'left';
    if (next !== asked.at(-1)) asked.push(next);
  }
  return asked;
}

/** The picture of the face that was taken before: larger, and held a little otherwise. */
export async function selfieOf(portrait: Portrait, seed: number): Promise<Buffer> {
  const options = { seed, width: 960, height: 720, scale: 140, quality: 90 };
  const moment = headOf(portrait, { turn: 3, lift: -2 }, { x: 0, y: 0, z: 0 });
  const [frame] = await framesOf(portrait, { movements: [] }, { ...options, subject: () => [moment] });
  return frame?.jpeg ?? Buffer.alloc(0);
}

type How = (source: Source, asked: readonly Movement[], seed: number) => Promise<Frame[]>;

const kind = (
  name: string,
  isHonest: boolean,
  how: How,
  selfie = (source: Source) => source.portrait,
): Kind => ({
  name,
  isHonest,
  async make(source, seed) {
    const asked = askedWith(randomFrom(seed * 7_919));
    return {
      asked,
      selfie: await selfieOf(selfie(source), seed + 1),
      frames: await how(source, asked, seed),
    };
  },
});

/** Somebody who does what is asked. */
const person = (name: string, plan: Partial<Plan> = {}, options: Partial<Options> = {}): Kind =>
  kind(name, true, ({ portrait }, asked, seed) =>
    framesOf(portrait, { movements: asked, ...plan }, { seed, ...options }),
  );

const honest: Kind[] = [
  person('25 degrees'),
  person('35 degrees', { degrees: 35 }),
  person('20 degrees', { degrees: 20, closer: 1.35 }),
  person('15 degrees', { degrees: 15, closer: 1.3 }),
  person('12 degrees', { degrees: 12, closer: 1.2 }),
  person('fast', { easeMs: 200, movementMs: 1_000, backMs: 1_000, reactionMs: 300 }),
  person(
    'slow, with more time, two frames a second',
    { easeMs: 2_500, middleMs: 3_000, movementMs: 7_000, backMs: 4_000, reactionMs: 900 },
    { everyMs: 500 },
  ),
  person('restless', {}, { sway: 4 }),
  person('held very still, a camera with little noise', {}, { sway: 0.3, noise: 0.6 }),
  person('dim light', {}, { light: 0.3, noise: 7 }),
  person('beside the middle', {}, { x: 0.3, y: 0.6 }),
  person('a phone tilted by 10 degrees', {}, { roll: 10 }),
  person('a phone upright', {}, { width: 360, height: 480, scale: 70 }),
  person('far away', {}, { scale: 36 }),
  kind('with glasses', true, ({ portrait }, asked, seed) =>
    framesOf(withGlasses(portrait), { movements: asked }, { seed }),
  ),
];

/** Draws dark frames around the eyes of a portrait. */
function withGlasses(portrait: Portrait): Portrait {
  const { picture, x, y, half } = portrait;
  const pixels = Buffer.from(picture.pixels);
  for (let row = Math.floor(y - half / 2); row < y + half / 2; row++)
    for (let column = Math.floor(x - half); column < x + half; column++) {
      const [right, down] = [Math.abs(column - x) / half, (row - y) / half];
      const rim = Math.abs(Math.hypot((right - 0.42) / 0.33, down / 0.24) - 1) < 0.12;
      const bridge = Math.abs(down + 0.05) < 0.025 && (right < 0.1 || right > 0.75);
      if ((rim || bridge) && row >= 0 && column >= 0 && row < picture.height && column < picture.width)
        pixels.fill(20, 3 * (row * picture.width + column), 3 * (row * picture.width + column) + 3);
    }
  return { ...portrait, picture: { ...picture, pixels } };
}

/** A print that a hand turns, lifts and brings closer as asked. */
const heldPrint =
  (degrees: number, bent?: number): How =>
  ({ portrait }, movements, seed) =>
    framesOf(
      portrait,
      { movements, degrees },
      {
        seed,
        subject: ({ turn, lift, ...moved }: Moment) => [
          printOf({ portrait, ...(bent !== undefined && { bent }) }, { turn, lift }, moved),
        ],
      },
    );

const otherOrder = (asked: readonly Movement[]): Movement[] => {
  const [first = 'left', second = 'right', third = 'up'] = asked;
  const other = movements.find((each) => !asked.includes(each)) ?? 'left';
  return first === third ? [second, first, other] : [third, first, second];
};

const recorded =
  (change: (frames: Frame[], random: () => number) => Frame[]): How =>
  async ({ portrait }, asked, seed) => {
    const frames = await framesOf(portrait, { movements: asked }, { seed });
    return change(frames, randomFrom(seed + 5));
  };

/** Frames with their own times, and the pictures of others. */
const shown = (frames: readonly Frame[], pick: (index: number) => Frame | undefined): Frame[] =>
  frames.map((frame, index) => ({ ...frame, jpeg: pick(index)?.jpeg ?? frame.jpeg }));

const attacks: Kind[] = [
  kind('a recording of another order', false, ({ portrait }, asked, seed) =>
    framesOf(portrait, { movements: otherOrder(asked) }, { seed }),
  ),
  kind('only two of the movements', false, ({ portrait }, asked, seed) =>
    framesOf(portrait, { movements: asked.slice(0, 2) }, { seed }),
  ),
  kind('a movement too many', false, ({ portrait }, asked, seed) =>
    framesOf(
      portrait,
      { movements: [...asked, movements.find((each) => each !== asked[2]) ?? 'up'] },
      { seed },
    ),
  ),
  kind('a head that does not move', false, ({ portrait }, _, seed) =>
    framesOf(portrait, { movements: [], middleMs: 14_000 }, { seed }),
  ),
  kind('one photograph, with noise', false, ({ portrait }, _, seed) =>
    framesOf(
      portrait,
      { movements: [], middleMs: 14_000 },
      {
        seed,
        subject: () => [headOf(portrait, { turn: 0, lift: 0 }, { x: 0, y: 0, z: 0 })],
      },
    ),
  ),
  kind(
    'one frame again and again',
    false,
    recorded((frames) => shown(frames, () => frames[0])),
  ),
  kind(
    'frames of the middle again',
    false,
    recorded((frames) => shown(frames, (index) => (index > 40 ? frames[index % 5] : undefined))),
  ),
  kind(
    'a piece in a loop',
    false,
    recorded((frames) => shown(frames, (index) => frames[index % 20])),
  ),
  kind('a flat print, turned by 25 degrees', false, heldPrint(25)),
  kind('a flat print, turned by 45 degrees', false, heldPrint(45)),
  kind('a print bent around a wide cylinder, 35 degrees', false, heldPrint(35, 2.5)),
  kind('a print bent as a face, 35 degrees', false, heldPrint(35, 1.5)),
  kind('a print bent as a face, 45 degrees', false, heldPrint(45, 1.5)),
  kind('another face from the middle on', false, ({ portrait, other }, asked, seed) =>
    framesOf(
      portrait,
      { movements: asked },
      {
        seed,
        subject: ({ turn, lift, ...moved }, ms) => [
          headOf(ms < 7_500 ? portrait : other, { turn, lift }, moved),
        ],
      },
    ),
  ),
  kind(
    'another person than on the selfie',
    false,
    ({ portrait }, asked, seed) => framesOf(portrait, { movements: asked }, { seed }),
    ({ other }) => other,
  ),
  kind('another person during the movements', false, ({ portrait, other }, asked, seed) =>
    framesOf(
      portrait,
      { movements: asked },
      {
        seed,
        subject: ({ turn, lift, ...moved }) => [
          headOf(Math.abs(turn) + Math.abs(lift) + 9 * moved.z > 8 ? other : portrait, { turn, lift }, moved),
        ],
      },
    ),
  ),
  kind('two people', false, ({ portrait, other }, asked, seed) =>
    framesOf(
      portrait,
      { movements: asked },
      {
        seed,
        scale: 48,
        x: 0.28,
        subject: ({ turn, lift, ...moved }) => [
          headOf(portrait, { turn, lift }, moved),
          shiftedBy(headOf(other, { turn: 0, lift: 0 }, { x: 0, y: 0, z: 0 }), 4.4),
        ],
      },
    ),
  ),
  kind('a cut to a face that is elsewhere', false, async ({ portrait }, asked, seed) => {
    const [one, two] = [
      await framesOf(portrait, { movements: asked }, { seed, x: 0.3 }),
      await framesOf(portrait, { movements: asked }, { seed, x: 0.7 }),
    ];
    return shown(one, (index) => (index > 28 ? two[index] : undefined));
  }),
];

function shiftedBy(surface: ReturnType<typeof headOf>, x: number): ReturnType<typeof headOf> {
  const places = surface.places.map((value, index) =>
    index % 5 === 0 ? value + x : index % 5 === 2 ? value - 0.5 : value,
  );
  return { ...surface, places };
}

const byDesign: Kind[] = [
  person('a recording of the right order, off a screen', {}, { quality: 60, noise: 5, light: 0.85, sway: 2 }),
];

export const kinds: readonly Kind[] = [...honest, ...attacks, ...byDesign];
