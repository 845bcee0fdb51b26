import { appendFile, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Readings } from '#activities/checks/document/judging/readings.ts';
import type { Check } from '#contract/workflows.ts';
import { resultsIn } from './kept.ts';
import type { Pictures } from './kinds.ts';
import { specimen } from './names-and-dates.ts';

/**
 * Measures how documents are judged whose print has two dates on a line, names that the zone cuts off, and letters of ten languages:
 * node test/support/specimens/field/measure-names-and-dates.ts --count 200 --into FOLDER
 *
 * The documents are drawn and read once. The folder keeps what was read, and a run with the same folder goes on where the last one ended.
 * `--judge FILE` judges the same readings by `activities/checks/document/judging/judge.ts` of another checkout. Without a folder nothing is drawn, and
 * the text is taken as two readers would read it that never err.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    into: { type: 'string' },
    judge: { type: 'string', default: 'activities/checks/document/judging/judge.ts' },
    show: { type: 'boolean', default: false },
  },
});
const today = '2026-11-21';

type Read = { index: number; readings: Readings };

const indexes = Array.from({ length: Number(values.count) }, (_, index) => index);
const all: Read[] =
  values.into === undefined
    ? indexes.map((index) => ({ index, readings: specimen(index).text() }))
    : await readInto(values.into);

async function readInto(folder: string): Promise<Read[]> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'readings.jsonl');
  const found = await resultsIn<Read>(file);
  const missing = indexes.filter((index) => !found.some((one) => one.index === index));
  // The reader blocks decoders that the drawings need, so it comes after them.
  const drawings: [number, Pictures][] = [];
  for (const index of missing) drawings.push([index, await specimen(index).pictures()]);
  if (missing.length === 0) return found;
  const { read } = await import('./examined.ts');
  for (const [index, pictures] of drawings) {
    const result: Read = { index, readings: await read(pictures) };
    found.push(result);
    await appendFile(file, `${JSON.stringify(result)}\n`);
  }
  return found;
}

const { judge }: { judge(readings: Readings, today: string): Check[] } = await import(
  pathToFileURL(resolve(values.judge)).href
);

type Tally = { documents: number; passed: number; doubt: number; failed: number; wrong: number };
const tallies = new Map<string, Tally>();

for (const { index, readings } of all.filter((read) => read.index < Number(values.count))) {
  const { wanted, hasExpired, what } = specimen(index);
  const said = judge(readings, today)
    .slice(1)
    .map(({ result }) => result);
  const verdict = said.includes('failed')
    ? 'failed'
    : said.every((one) => one === 'passed')
      ? 'passed'
      : 'doubt';
  const isWrong = (verdict === 'passed' && wanted !== 'passed') || (verdict === 'failed' && !hasExpired);
  if (values.show) console.log(index, what, wanted, verdict, said.join(' '), isWrong ? 'WRONG' : '');
  const row = `${what.split(',', 1)[0] === 'cut' ? 'names cut off' : 'letters of ten languages'}, ${kindOf(wanted, hasExpired)}`;
  const tally = tallies.get(row) ?? { documents: 0, passed: 0, doubt: 0, failed: 0, wrong: 0 };
  tally.documents++;
  tally[verdict]++;
  if (isWrong) tally.wrong++;
  tallies.set(row, tally);
}

function kindOf(wanted: string, hasExpired: boolean): string {
  if (hasExpired) return 'expired';
  return wanted === 'passed' ? 'genuine' : 'altered';
}

console.log('| Documents | number | passed | doubt | failed | wrong |');
console.log('|---|---|---|---|---|---|');
for (const [row, { documents, passed, doubt, failed, wrong }] of [...tallies].toSorted(([a], [b]) =>
  a < b ? -1 : 1,
))
  console.log(`| ${[row, documents, passed, doubt, failed, wrong].join(' | ')} |`);
