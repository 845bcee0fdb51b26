import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { goodput, inTimeMs, lineOf, overload, type Step, senders, timesOf } from './overload-steps.ts';
import { curves } from './parts/curves.ts';
import { median, quantile } from './parts/figures.ts';
import { startProduct } from './parts/product.ts';
import { runBench } from './parts/programs.ts';
import { startReceiver, startSetting } from './parts/setting.ts';
import { machineLine, load as machineLoad } from './parts/table.ts';

/**
 * Offers more creates than the system carries, step by step:
 * node test/bench/overload.ts [--steps 0.5,1,1.5,2,3,4] [--seconds 20] [--report docs/overload.md]
 * The capacity is measured first, by ten senders that each send the next create when the last one was answered. A step offers a multiple
 * of it. Callers do not repeat what was refused. At the end the books must balance: each accepted create was delivered exactly once, a
 * refused one left no row, and one without a known outcome gets it when it is sent again with its key. If not, the exit code is 3.
 */
const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '0.5,1,1.5,2,3,4' },
    seconds: { type: 'string', default: '20' },
    report: { type: 'string' },
  },
});
const steps = values.steps.split(',').map(Number);
const seconds = Number(values.seconds);

const reportOf = (
  capacity: number,
  made: readonly Step[],
  books: string,
  machine: string,
): string => `# Beyond the capacity

Creates with one delivery each, ${seconds} s a step, no caller repeats what was refused. The capacity, measured first with ${senders} callers in turn, was
${capacity.toFixed(1)} creates a second. A create counts as in time if it was answered with 201 within ${inTimeMs / 1_000} s.

${machine}

| offered (a second) | sent | 201 | in time, a second | their p50 / p99, ms | refused | their p50 / p99, ms | outcome unknown | seconds from the last answer to the last event |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${made.map(lineOf).join('\n')}

![Creates a second](images/overload-rate.svg)

![Milliseconds](images/overload-time.svg)

The books: ${books}. So what was accepted was delivered, and what was refused never began. How the limit is found:
[admission](choices/admission.md).
`;

async function writeReport(file: string, text: string, made: readonly Step[]): Promise<void> {
  const images = join(dirname(file), 'images');
  await mkdir(images, { recursive: true });
  const ending = `${made.at(-1)?.offered.toFixed(0)} offered a second`;
  const draw = (name: string, title: string, valuesOf: (step: Step) => Record<string, number>) =>
    writeFile(
      join(images, name),
      curves({ title, ending, samples: made.map((step) => ({ at: step.offered, values: valuesOf(step) })) }),
    );
  await draw('overload-rate.svg', 'Creates a second', (step) => ({
    'in time': goodput(step),
    refused: timesOf(step, 'refused').length / step.seconds,
  }));
  await draw('overload-time.svg', 'Milliseconds until the answer', (step) => ({
    '201, p50': median(timesOf(step, 'accepted')),
    '201, p99': quantile(timesOf(step, 'accepted'), 0.99),
    'refused, p99': quantile([...timesOf(step, 'refused'), 0], 0.99),
  }));
  await writeFile(file, text);
}

async function measure(): Promise<void> {
  const before = machineLoad();
  const setting = await startSetting('overload');
  const receiver = await startReceiver(setting);
  const product = await startProduct(setting);
  const { capacity, steps: run, books } = await overload(product, receiver, { times: steps, seconds });
  const text = reportOf(capacity, run, books, machineLine(before, 'node test/bench/overload.ts'));
  if (values.report !== undefined) await writeReport(values.report, text, run);
}

await runBench(measure);
