import { PassThrough } from 'node:stream';
import sharp from 'sharp';
import { afterAll, expect, test, vi } from 'vitest';
import { loadFaceTools } from '#activities/checks/face/tools.ts';
import { startLivenessMeasurer } from '#activities/checks/liveness/measurer.ts';
import { type MeasuredFrame, type Movement, movements } from '#contract/movements.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import type { Program } from '#platform/isolated/program.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { judgeLiveness } from '#policy/liveness.ts';
import { collectedLog } from '#test/support/run-logs.ts';
import { selfieOf } from '#test/support/specimens/liveness/kinds.ts';
import { printOf } from '#test/support/specimens/liveness/print.ts';
import { type Frame, framesOf, type Options, type Plan } from '#test/support/specimens/liveness/recording.ts';
import { drawnSource } from '#test/support/specimens/liveness/sources.ts';
import { closeFace } from '#test/support/specimens/looks/scenes.ts';

// No real person is on these pictures: the heads are rendered from two drawn faces.
vi.setConfig({ testTimeout: 180_000 });
const log = collectedLog('measurer', new PassThrough().resume());
const isolation = await findIsolation(log);
const started = (program: Partial<Program> = {}) =>
  startLivenessMeasurer({ isolation, log, instruments: noInstruments, program });
const measurer = started();
afterAll(() => measurer.close());

const { portrait, other } = await drawnSource(await loadFaceTools());
const asked = ['left', 'up', 'closer'] as const;
const quick: Plan = { movements: asked, easeMs: 250, reactionMs: 300, movementMs: 1_000, backMs: 1_000 };
const made = (options: Partial<Options> = {}, plan: Partial<Plan> = {}) =>
  framesOf(portrait, { ...quick, ...plan }, { seed: 11, ...options });

const selfie = await selfieOf(portrait, 12);
const jpegsOf = (frames: readonly Frame[]) => frames.map(({ jpeg }) => jpeg);
const judged = (order: readonly Movement[], frames: readonly Frame[], measured: readonly MeasuredFrame[]) =>
  judgeLiveness(
    order,
    frames.map(({ atMs }) => atMs),
    measured,
  );

test('a head that moves as asked passes, and for every other order the same frames do not', async () => {
  const frames = await made();
  const measured = await measurer.measure(selfie, jpegsOf(frames));
  expect(judged(asked, frames, measured)).toMatchObject({ kind: 'liveness', result: 'passed' });
  for (const a of movements)
    for (const b of movements)
      for (const c of movements)
        if (`${[a, b, c]}` !== `${asked}`)
          expect(judged([a, b, c], frames, measured)).toMatchObject({ finding: expect.any(String) });
});

test('a still head, and a flat print that a hand turns as asked, make no movement', async () => {
  const still = await made({}, { movements: [], middleMs: 4_000 });
  const ofStill = await measurer.measure(selfie, jpegsOf(still));
  expect(judged(asked, still, ofStill)).toMatchObject({ result: 'failed', finding: 'movements_none' });

  const order = ['left', 'up', 'right'] as const;
  const subject: Options['subject'] = ({ turn, lift, ...moved }) => [
    printOf({ portrait }, { turn, lift }, moved),
  ];
  const print = await made({ subject }, { movements: order, degrees: 40 });
  const ofPrint = await measurer.measure(selfie, jpegsOf(print));
  expect(judged(order, print, ofPrint)).toMatchObject({ result: 'failed', finding: 'movements_none' });
});

test('a person who is not the one on the selfie does not pass', async () => {
  const frames = await made();
  const measured = await measurer.measure(await selfieOf(other, 12), jpegsOf(frames));
  const { result, finding } = judged(asked, frames, measured);
  expect({ isPassed: result === 'passed', finding }).toEqual({
    isPassed: false,
    finding: 'movements_other_face',
  });
});

test('frames are compared with a selfie too that the face fills', async () => {
  const [frame] = jpegsOf(await made({}, { movements: [], middleMs: 1 }));
  if (frame === undefined) throw new Error('there is no frame');
  const measured = await measurer.measure(await closeFace(), [frame]);
  expect(measured).toEqual([expect.objectContaining({ fromSelfie: expect.any(Number) })]);
});

test('a frame that cannot be opened, a bomb and a PNG have no face, and the others are measured', async () => {
  const [first, second] = jpegsOf(await made({}, { movements: [], middleMs: 500 }));
  if (first === undefined || second === undefined) throw new Error('there are too few frames');
  const png = await sharp(first).png().toBuffer();
  const large = await sharp(first).resize({ width: 1_400, height: 1_000 }).jpeg().toBuffer();
  const strange = [
    Buffer.from('no picture'),
    Buffer.alloc(0),
    first.subarray(0, 400),
    bombOf(first),
    png,
    large,
  ];
  const measured = await measurer.measure(selfie, [first, ...strange, second]);
  expect(measured.map(({ faces }) => faces)).toEqual([1, ...strange.map(() => 0), 1]);
});

/** A JPEG that says it has 65,000 x 65,000 pixels. */
function bombOf(jpeg: Buffer): Buffer {
  const bomb = Buffer.from(jpeg);
  const frame = bomb.indexOf(Buffer.from([0xff, 0xc0]));
  bomb.writeUInt16BE(65_000, frame + 5);
  bomb.writeUInt16BE(65_000, frame + 7);
  return bomb;
}

test('a picture that comes again is named, but not one that a slow camera gives twice', async () => {
  const [a, b, c] = jpegsOf(await made({}, { movements: [], middleMs: 750 }));
  if (a === undefined || b === undefined || c === undefined) throw new Error('there are too few frames');
  const again = await sharp(a).jpeg({ quality: 95 }).toBuffer();
  const measured = await measurer.measure(selfie, [a, a, b, c, again, b]);
  expect(measured.map(({ repeated }) => repeated)).toEqual([false, false, false, false, true, true]);
});

const frame = {
  ...{ faces: 1, width: 0.3, x: 0.5, y: 0.5, turn: 1, lift: -30 },
  ...{ fromFirst: 0, fromSelfie: null, repeated: false },
};
const answered = async (answer: string) => {
  const echo = started({ file: new URL('./echo.ts', import.meta.url) });
  try {
    return await echo.measure(Buffer.alloc(0), [Buffer.from(answer)]);
  } finally {
    await echo.close();
  }
};

test('a program that answers as it should is believed', async () => {
  await expect(answered(JSON.stringify([frame]))).resolves.toEqual([frame]);
});

test.each([
  ['no json'],
  ['[]'],
  [JSON.stringify([frame, frame])],
  [JSON.stringify([{ ...frame, fromFirst: -1 }])],
  [JSON.stringify([{ ...frame, turn: null }])],
  [JSON.stringify([{ ...frame, faces: 0.5 }])],
  [JSON.stringify([{ ...frame, description: [0.1, 0.2] }])],
])('a program that answers %s has measured nothing', async (answer) => {
  await expect(answered(answer)).rejects.toThrow(/^The movements could not be measured$/);
});
