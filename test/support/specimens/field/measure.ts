import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { intervalOfShare } from '../faces/statistics.ts';
import { randomOf, resultsIn } from './kept.ts';
import { type KindName, kindNames, kinds, type Pictures } from './kinds.ts';

/**
 * Measures how the reader judges documents in the field, and prints one row for each kind:
 * node test/support/specimens/field/measure.ts --count 4 --seed 1 --into FOLDER
 *
 * It draws `count` pictures of each kind. The folder keeps the pictures, and what was found as a line of a file; a run with the same
 * folder goes on where the last one ended. Give `--run` another name to measure another reader on the same pictures. `--kinds` takes names of
 * kinds or their beginnings, with semicolons between them: `--kinds "print: "` are all whose print was altered. It uses one core.
 */

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
    into: { type: 'string' },
    run: { type: 'string', default: 'results' },
    kinds: { type: 'string', default: kindNames.join(';') },
    show: { type: 'boolean', default: false },
  },
});
const { into } = values;
if (into === undefined) throw new Error('Say where to keep the pictures: --into FOLDER');
const today = '2026-11-21';
const results = join(into, `${values.run}.jsonl`);

type Result = { kind: KindName; index: number; said: string[]; seconds: number };

await mkdir(into, { recursive: true });
const done = new Map(
  (await resultsIn<Result>(results)).map((result) => [`${result.kind} ${result.index}`, result]),
);
const wanted = kindNames.filter((kind) => values.kinds.split(';').some((name) => kind.startsWith(name)));
if (wanted.length === 0) throw new Error(`There is no kind ${values.kinds}`);
const missing = Array.from({ length: Number(values.count) }, (_, index) =>
  wanted.map((kind) => ({ kind, index })),
)
  .flat()
  .filter(({ kind, index }) => !done.has(`${kind} ${index}`));
for (const { kind, index } of missing) await picturesOf(kind, index);
// The reader blocks decoders that the drawings need, so it comes after them.
const { examined } = await import('./examined.ts');
for (const { kind, index } of missing) {
  const result = { kind, index, ...(await examined(await picturesOf(kind, index), today)) };
  done.set(`${kind} ${index}`, result);
  await appendFile(results, `${JSON.stringify(result)}\n`);
  if (values.show) console.log(kind, index, result.said.join(' '), result.seconds.toFixed(1));
}
printTable();

/** Takes pictures from the folder, or draws them. */
async function picturesOf(kind: KindName, index: number): Promise<Pictures> {
  const name = join(into ?? '', `${values.seed}-${kindNames.indexOf(kind)}-${index}`);
  const front = await readFile(`${name}-front.jpg`).catch(() => undefined);
  if (front !== undefined) return { front, back: await readFile(`${name}-back.jpg`).catch(() => null) };
  const random = randomOf(Number(values.seed), kindNames.indexOf(kind), index);
  const pictures = await kinds[kind].pictures(random);
  await writeFile(`${name}-front.jpg`, pictures.front);
  if (pictures.back !== null) await writeFile(`${name}-back.jpg`, pictures.back);
  return pictures;
}

function printTable(): void {
  console.log('| Kind | should | passed | doubt | failed | surface | digits | expiry | print | seconds |');
  console.log('|---|---|---|---|---|---|---|---|---|---|');
  for (const kind of wanted) {
    const rows = [...done.values()].filter(
      (result) => result.kind === kind && result.index < Number(values.count),
    );
    const all = rows.map(({ said }) => verdictOf(said));
    const share = (word: string) => `${all.filter((each) => each === word).length}`;
    const part = (place: number) => `${rows.filter(({ said }) => isGood(said[place])).length}`;
    const seconds = rows.map((row) => row.seconds).toSorted((a, b) => a - b)[rows.length >> 1] ?? 0;
    const cells = [
      kind,
      kinds[kind].wanted,
      `${share('passed')} / ${rows.length}`,
      share('doubt'),
      share('failed'),
    ];
    console.log(`| ${[...cells, part(0), part(2), part(1), part(3), seconds.toFixed(1)].join(' | ')} |`);
  }
  for (const should of ['passed', 'not passed'] as const) {
    const rows = [...done.values()].filter(
      ({ kind, index }) =>
        wanted.includes(kind) && kinds[kind].wanted === should && index < Number(values.count),
    );
    console.log(`should have ${should}: ${rows.length}`);
    if (rows.length === 0) continue;
    sayShare('of these passed', rows, ({ said }) => verdictOf(said) === 'passed');
    sayShare('of these, zone and print were consistent', rows, ({ said }) => isGood(said[3]));
  }
}

function sayShare(what: string, rows: readonly Result[], test: (row: Result) => boolean): void {
  const found = rows.filter(test).length;
  const [low, high] = intervalOfShare(found, rows.length).map((share) => (100 * share).toFixed(1));
  console.log(`  ${what}: ${found}, or ${low} to ${high} % (Wilson, 95 %)`);
}

/** A document has passed if none of its checks is in doubt or has failed. */
function verdictOf(said: readonly string[]): string {
  if (said.includes('failed')) return 'failed';
  return said.every(isGood) ? 'passed' : 'doubt';
}

/** Genuineness is never examined, so that check is not in doubt at best. */
function isGood(word: string | undefined): boolean {
  return word === 'passed' || word === 'not_applicable';
}
