import { parseArgs } from 'node:util';
import { decodedColour } from '#activities/checks/document/masking/colour.ts';
import { loadFaceTools } from '#activities/checks/face/tools.ts';
import { measureFrames } from '#activities/checks/liveness/measure-frames.ts';
import { judgeLiveness } from '#policy/liveness.ts';
import { kinds } from './kinds.ts';
import { drawnSource, photographed, picturedIn } from './sources.ts';

/**
 * Measures the check of the movements on rendered heads, and prints the table of docs/choices/liveness.md:
 * node test/support/specimens/liveness/measure.ts --count 12 --seed 1
 * With --faces FOLDER it takes the faces that look ahead on the pictures of a folder instead. The page names packages that have such pictures.
 * With --only 'a flat print' it makes the rows alone whose names begin so, and with --details it prints each recording.
 */

const { values } = parseArgs({
  options: {
    faces: { type: 'string' },
    count: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    details: { type: 'boolean', default: false },
  },
});
const tools = await loadFaceTools();
const sources =
  values.faces === undefined
    ? [await drawnSource(tools), ...(await photographed(tools))]
    : await picturedIn(values.faces, tools);
console.log(`${sources.length} faces: ${sources.map(({ name }) => name).join(', ')}`);

const cpuMs: number[] = [];
for (const kind of kinds.filter(({ name }) => name.startsWith(values.only))) {
  const found = new Map<string, number>();
  let frameCount = 0;
  for (let index = 0; index < Number(values.count); index++) {
    const source = sources[index % sources.length];
    if (source === undefined) throw new Error('There is no face');
    const { asked, selfie, frames } = await kind.make(source, Number(values.seed) * 1_000 + index);
    const start = process.cpuUsage();
    const measured = await measureFrames(
      await decodedColour(selfie),
      frames.map(
        ({ jpeg }) =>
          () =>
            decodedColour(jpeg),
      ),
      tools,
    );
    const { user, system } = process.cpuUsage(start);
    cpuMs.push((user + system) / 1_000 / frames.length);
    frameCount = Math.max(frameCount, frames.length);
    const times = frames.map(({ atMs }) => atMs);
    const { result, finding, confidence } = judgeLiveness(asked, times, measured);
    const name = finding === undefined ? result : `${result} ${finding}`;
    found.set(name, (found.get(name) ?? 0) + 1);
    if (values.details) {
      console.log(`${kind.name}, ${source.name}, ${asked}: ${name} ${confidence}`);
      for (const [at, frame] of measured.entries())
        console.log(
          `${times[at]} ${frame.faces} ${[frame.width, frame.x, frame.y].map((each) => each.toFixed(2)).join(' ')} ${frame.turn.toFixed(0)} ${frame.lift.toFixed(0)} ${frame.fromFirst?.toFixed(2)} ${frame.fromSelfie?.toFixed(2)} ${frame.repeated}`,
        );
    }
  }
  const counts = [...found].toSorted(([, a], [, b]) => b - a).map(([name, times]) => `${times} ${name}`);
  console.log(
    `${kind.isHonest ? 'honest' : 'attack'} | ${kind.name} | ${counts.join(', ')} | ${frameCount} frames`,
  );
}
const mean = cpuMs.reduce((sum, each) => sum + each, 0) / cpuMs.length;
console.log(
  `${mean.toFixed(1)} ms of a core for each frame, ${((48 * mean) / 1_000).toFixed(2)} s for 48 frames`,
);
