import type { MeasuredFrame, Movement } from '#contract/movements.ts';

/** A frame with a face, and when it was taken. */
export type Seen = MeasuredFrame & { ms: number };
/** How much of each movement is shown. 1 is where it counts. */
export type Strengths = Record<Movement, number>;

/** The way of a head through the frames. */
export type Track = {
  /** The frames, without what only one of them shows. */
  frames: Seen[];
  /** How the head is held at the beginning. */
  neutral: Pick<Seen, 'turn' | 'lift' | 'width'>;
  /** The most of each movement that was made between two middles. */
  excursions: Strengths[];
  /** Frames in which the head looks ahead, also while it is closer, and the same in stretches of one movement or rest each. */
  ahead: Seen[];
  stretches: Seen[][];
};

type Bounds = { seenMin: { turn: number; lift: number; closer: number }; middleShare: number };

export function trackOf(seen: readonly Seen[], bounds: Bounds): Track {
  const frames = steadied(seen);
  const neutral = neutralOf(frames);
  const parts: { most: Strengths; isMiddle: boolean; ahead: Seen[] }[] = [];
  for (const frame of frames) {
    const strengths = strengthsOf(frame, neutral, bounds.seenMin);
    const isMiddle = strongest(strengths) <= bounds.middleShare;
    const isAhead = strongest({ ...strengths, closer: 0 }) <= bounds.middleShare;
    const last = parts.at(-1);
    const part = last?.isMiddle === isMiddle ? last : { most: strengths, isMiddle, ahead: [] };
    if (part !== last) parts.push(part);
    part.most = greater(part.most, strengths);
    if (isAhead) part.ahead.push(frame);
  }
  const stretches = parts.map(({ ahead }) => ahead).filter(({ length }) => length >= stretchMin);
  return {
    ...{ frames, neutral, stretches, ahead: parts.flatMap(({ ahead }) => ahead) },
    excursions: parts.flatMap(({ isMiddle, most }) => (isMiddle ? [] : most)),
  };
}

/** The fewest frames whose faces are compared together. */
const stretchMin = 2;

export const strongest = (strengths: Strengths): number => Math.max(...Object.values(strengths));

const greater = (a: Strengths, b: Strengths): Strengths => ({
  left: Math.max(a.left, b.left),
  right: Math.max(a.right, b.right),
  up: Math.max(a.up, b.up),
  closer: Math.max(a.closer, b.closer),
});

const strengthsOf = (
  { turn, lift, width }: Seen,
  neutral: Track['neutral'],
  seenMin: Bounds['seenMin'],
): Strengths => ({
  left: (turn - neutral.turn) / seenMin.turn,
  right: (neutral.turn - turn) / seenMin.turn,
  up: (lift - neutral.lift) / seenMin.lift,
  closer: (width / Math.max(neutral.width, Number.MIN_VALUE) - 1) / seenMin.closer,
});

/** The beginning, in which a person looks straight ahead, and the fewest frames of it. */
const beginningMs = 1_000;
const beginningMin = 3;

function neutralOf(frames: readonly Seen[]): Track['neutral'] {
  const startMs = frames[0]?.ms ?? 0;
  const first = frames.filter(({ ms }, index) => ms - startMs <= beginningMs || index < beginningMin);
  const of = (key: 'turn' | 'lift' | 'width') => median(first.map((frame) => frame[key]));
  return { turn: of('turn'), lift: of('lift'), width: of('width') };
}

/** Each number is the middle one of three frames, so that a frame that was measured badly does not count. */
function steadied(seen: readonly Seen[]): Seen[] {
  const keys = ['x', 'y', 'width', 'turn', 'lift'] as const;
  return seen.map((frame, index) => {
    const from = Math.max(Math.min(index - 1, seen.length - 3), 0);
    const three = seen.slice(from, from + 3);
    const steady = { ...frame };
    for (const key of keys) steady[key] = median(three.map((each) => each[key]));
    return steady;
  });
}

/** NaN of an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
}
