import { expect, test } from 'vitest';
import { type MeasuredFrame, type Movement, movements } from '#contract/movements.ts';
import { judgeLiveness, livenessThreshold } from '#policy/liveness.ts';
import { fc } from '#test/support/seed.ts';

/** Invented frames: no picture is measured here. */
type Recording = { times: readonly number[]; frames: readonly MeasuredFrame[] };

const ahead: MeasuredFrame = {
  ...{ faces: 1, width: 0.3, x: 0.5, y: 0.4, turn: 2, lift: -33 },
  ...{ fromFirst: 0.1, fromSelfie: 0.2, repeated: false },
};

/** How the head is held after a movement, as much of it as it needs to count. */
const held = (movement: Movement, strength = 2): Partial<MeasuredFrame> =>
  ({
    left: { turn: ahead.turn + 13 * strength },
    right: { turn: ahead.turn - 13 * strength },
    up: { lift: ahead.lift + 11 * strength },
    closer: { width: ahead.width * (1 + 0.22 * strength) },
  })[movement];

type Part = { held?: Partial<MeasuredFrame>; ms: number; isSudden?: true };

/** A recording of parts. Within each, the head goes to its place and stays there. */
function recorded(parts: readonly Part[], everyMs = 250): Recording {
  const recording: { times: number[]; frames: MeasuredFrame[] } = { times: [], frames: [] };
  let last: MeasuredFrame = ahead;
  let ms = 0;
  for (const part of parts) {
    const next = { ...ahead, ...part.held };
    for (const endMs = ms + part.ms; ms < endMs; ms += everyMs) {
      const between = (key: 'turn' | 'lift' | 'width') =>
        part.isSudden ? next[key] : (last[key] + next[key]) / 2;
      last = { ...next, turn: between('turn'), lift: between('lift'), width: between('width') };
      recording.times.push(ms);
      recording.frames.push(last);
    }
  }
  return recording;
}

const middle: Part = { ms: 1_500 };
const made = (movement: Movement, strength?: number, ms = 2_600): Part => ({
  held: held(movement, strength),
  ms,
});
const moved = (asked: readonly Movement[], strength?: number) =>
  recorded([middle, ...asked.flatMap((movement) => [made(movement, strength), middle])]);

const asked = ['left', 'up', 'closer'] as const;
const judged = ({ times, frames }: Recording, order: readonly Movement[] = asked) =>
  judgeLiveness(order, times, frames);
/** The same recording with other numbers in some frames. */
const changed = (
  { times, frames }: Recording,
  change: (frame: MeasuredFrame, index: number) => Partial<MeasuredFrame>,
) => ({
  times,
  frames: frames.map((frame, index) => ({ ...frame, ...change(frame, index) })),
});

const orders = movements
  .flatMap((a) => movements.flatMap((b) => movements.map((c) => [a, b, c] as const)))
  .filter(([a, b, c]) => a !== b && b !== c);

test('each order that can be asked for passes if the movements are made in it', () => {
  expect(orders).toHaveLength(36);
  for (const order of orders)
    expect(judged(moved(order), order)).toEqual({ kind: 'liveness', result: 'passed', confidence: 0.83 });
});

test('movements in another order than the one that was asked for never pass', () => {
  for (const order of orders)
    for (const other of orders.filter((each) => `${each}` !== `${order}`))
      expect(judged(moved(other), order)).toMatchObject({ result: 'failed', finding: 'movements_others' });
});

test('who needs more time passes by the same rules, at two frames a second', () => {
  const parts = asked.flatMap((movement) => [made(movement, 2, 9_000), { ms: 9_000 }]);
  const recording = recorded([{ ms: 4_000 }, ...parts], 500);
  expect(recording.times.at(-1)).toBeGreaterThan(55_000);
  expect(judged(recording)).toMatchObject({ result: 'passed' });
});

test('a movement that is small is less clear, then in doubt, and in the end none', () => {
  expect(judged(moved(asked, 2.5)).confidence).toBeGreaterThan(judged(moved(asked, 1.1)).confidence);
  expect(judged(moved(asked, 1.1))).toMatchObject({ result: 'passed', confidence: 0.54 });
  expect(judged(moved(asked, 0.9))).toMatchObject({ result: 'doubt', finding: 'movements_missing' });
  expect(judged(moved(asked, 0.5))).toMatchObject({ result: 'failed', finding: 'movements_none' });
});

test('without a return to the middle, two movements are not two', () => {
  const recording = recorded([middle, made('left'), made('up'), middle, made('closer'), middle]);
  expect(judged(recording).result).not.toBe('passed');
  const right: Part = { ...made('right'), isSudden: true };
  const sides = recorded([middle, made('left'), right, middle, made('closer'), middle]);
  expect(judged(sides, ['left', 'right', 'closer'])).toMatchObject({
    result: 'doubt',
    finding: 'movements_missing',
  });
});

test('who hesitates may make the same movement twice, but no other one', () => {
  const twice = [
    middle,
    made('left'),
    middle,
    made('left'),
    middle,
    made('up'),
    middle,
    made('closer'),
    middle,
  ];
  expect(judged(recorded(twice))).toMatchObject({ result: 'passed' });
  expect(judged(moved(['left', 'right', 'up', 'closer']))).toMatchObject({ finding: 'movements_others' });
  expect(judged(moved([...asked, 'right']))).toMatchObject({ result: 'failed', finding: 'movements_others' });
});

const whole = moved(asked);
test.each([
  ['no movement', recorded([{ ms: 14_000 }]), 'failed', 'movements_none'],
  ['one movement too few', moved(['left', 'up']), 'failed', 'movements_missing'],
  [
    'a picture that comes again',
    changed(whole, (_, index) => ({ repeated: index > 40 })),
    'failed',
    'movements_frames_repeated',
  ],
  [
    'a face that is suddenly elsewhere',
    changed(whole, (_, index) => ({ x: index > 25 ? 0.85 : 0.5 })),
    'failed',
    'movements_jump',
  ],
  [
    'a face that is suddenly larger',
    changed(whole, ({ width }, index) => ({ width: index > 25 ? width * 2 : width })),
    'failed',
    'movements_jump',
  ],
  [
    'another face in the second half',
    changed(whole, (_, index) => ({ fromFirst: index > 25 ? 0.7 : 0.1 })),
    'failed',
    'movements_face_changes',
  ],
  [
    'a face that is less alike in the second half',
    changed(whole, (_, index) => ({ fromFirst: index > 25 ? 0.5 : 0.1 })),
    'doubt',
    'movements_face_changes',
  ],
  [
    'another face while it is closer',
    changed(whole, ({ width }) => ({ fromFirst: width > 0.36 ? 0.7 : 0.1 })),
    'failed',
    'movements_face_changes',
  ],
  [
    'another person than on the selfie',
    changed(whole, () => ({ fromSelfie: 0.7 })),
    'failed',
    'movements_other_face',
  ],
  [
    'a face that is less like the selfie',
    changed(whole, () => ({ fromSelfie: 0.5 })),
    'doubt',
    'movements_other_face',
  ],
  [
    'a selfie without a face',
    changed(whole, () => ({ fromSelfie: null })),
    'doubt',
    'movements_not_examined',
  ],
  [
    'a face that was lost',
    changed(whole, (_, index) => (index % 3 === 0 ? { faces: 0 } : {})),
    'doubt',
    'movements_face_lost',
  ],
  [
    'a movement during which the face is lost',
    changed(whole, ({ turn }) => (turn > 5 ? { faces: 0 } : {})),
    'doubt',
    'movements_face_lost',
  ],
  ['no face at all', changed(whole, () => ({ faces: 0 })), 'doubt', 'movements_face_lost'],
  [
    'two faces',
    changed(whole, (_, index) => (index > 40 ? { faces: 2 } : {})),
    'doubt',
    'movements_several_faces',
  ],
  [
    'a face far away',
    changed(whole, ({ width }) => ({ width: width / 3 })),
    'doubt',
    'movements_face_too_small',
  ],
  [
    'too few frames',
    { times: whole.times.slice(0, 10), frames: whole.frames.slice(0, 10) },
    'doubt',
    'movements_too_few_frames',
  ],
  [
    'a pause',
    { ...whole, times: whole.times.map((ms, index) => (index > 25 ? ms + 3_000 : ms)) },
    'doubt',
    'movements_too_few_frames',
  ],
  [
    'a time for each frame but one',
    { ...whole, times: whole.times.slice(1) },
    'doubt',
    'movements_too_few_frames',
  ],
  [
    'a clock that stands still',
    { ...whole, times: whole.times.map((ms, index) => (index === 9 ? ms - 250 : ms)) },
    'failed',
    'movements_jump',
  ],
  ['nothing', { times: [], frames: [] }, 'doubt', 'movements_too_few_frames'],
] as const)('%s is found', (_, recording, result, finding) => {
  expect(judged(recording)).toMatchObject({ kind: 'liveness', result, finding });
});

test('a turned face is not compared, since a turn makes it less alike', () => {
  const recording = changed(whole, ({ turn, lift }) => ({
    ...(turn > 15 || lift > -20 ? { fromFirst: 0.8, fromSelfie: 0.8 } : {}),
  }));
  expect(judged(recording)).toMatchObject({ result: 'passed' });
});

test('one frame that was measured badly changes nothing', () => {
  for (const index of whole.frames.keys())
    for (const wrong of [
      { turn: 60 },
      { turn: -60 },
      { lift: 40 },
      { x: 0.9 },
      { width: 0.9 },
      { faces: 0 },
      { faces: 2 },
    ])
      expect(judged(changed(whole, (_, at) => (at === index ? wrong : {})))).toMatchObject({
        result: 'passed',
      });
});

test('a finding says why it did not pass, and a confidence is always from 0 to 0.9 unless a face is another one', () => {
  const number = fc.double({ min: -100, max: 100, noNaN: true });
  const distance = fc.option(fc.double({ min: 0, max: 2, noNaN: true }));
  const frame = fc.record({
    ...{ faces: fc.nat(3), width: fc.double({ min: 0, max: 2, noNaN: true }), x: number, y: number },
    ...{ turn: number, lift: number, fromFirst: distance, fromSelfie: distance, repeated: fc.boolean() },
  });
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 40 }), (frames) => {
      const { result, finding, confidence } = judgeLiveness(
        asked,
        frames.map((_, index) => 250 * index),
        frames,
      );
      expect(finding === undefined).toBe(result === 'passed');
      expect(confidence >= 0 && confidence <= 1).toBe(true);
    }),
  );
});

test('the history names the version and the numbers of the bounds', () => {
  expect(livenessThreshold).toBe('movements 1: turned by 13, lifted by 11, wider by 0.22, and faces 1');
});
