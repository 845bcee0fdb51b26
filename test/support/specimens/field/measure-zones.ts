import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { randomOf, resultsIn } from './kept.ts';
import { type ZoneKind, zoneKinds, zonePictures } from './zones.ts';

/**
 * Measures how zones are read, and prints one row for each way of holding the camera:
 * node test/support/specimens/field/measure-zones.ts --count 150 --seed 5 --into FOLDER
 *
 * The folder keeps the pictures with what their zones say, and what was read. A run with the same folder goes on where the last one ended.
 * Give `--run` another name to measure another reader on the same pictures. It uses one core.
 */

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '25' },
    seed: { type: 'string', default: '5' },
    into: { type: 'string' },
    run: { type: 'string', default: 'zones' },
    kinds: { type: 'string', default: zoneKinds.join(';') },
    draw: { type: 'boolean', default: false },
  },
});
const { into } = values;
if (into === undefined) throw new Error('Say where to keep the pictures: --into FOLDER');
const results = join(into, `${values.run}.jsonl`);

/** `a` and `b` are what the readers read, line by line. */
type Result = {
  kind: ZoneKind;
  index: number;
  zone: string[];
  a: string[];
  b: string[];
  said: string[];
  seconds: number;
};

await mkdir(into, { recursive: true });
const done = new Map<string, Result>();
for (const result of await resultsIn<Result>(results)) keep(result);
const wanted = values.kinds.split(';').map((name) => zoneKinds.find((kind) => kind === name) ?? raise(name));
const missing = Array.from({ length: Number(values.count) }, (_, index) =>
  wanted.map((kind) => ({ kind, index })),
)
  .flat()
  .filter(({ kind, index }) => !done.has(`${kind} ${index}`));
for (const { kind, index } of missing) await drawn(kind, index);
if (!values.draw) {
  // The reader blocks decoders that the drawings need, so it comes after them.
  const { read } = await import('./examined.ts');
  const { judge } = await import('#activities/checks/document/judging/judge.ts');
  const { folded } = await import('#activities/checks/document/judging/layout.ts');
  for (const { kind, index } of missing) {
    const { zone, ...pictures } = await drawn(kind, index);
    const before = process.cpuUsage();
    const readings = await read(pictures);
    const { user, system } = process.cpuUsage(before);
    // A letter and a digit that look alike are told apart by their place, as the judge does.
    const lines = (rows: string[][] = []) =>
      folded(rows).map((row) => row.map((each) => each || ' ').join(''));
    const [a, b] = [lines(readings.zone?.a), lines(readings.zone?.b)];
    const said = judge(readings, '2026-11-21').map(({ result }) => result);
    const result = { kind, index, zone, a, b, said, seconds: (user + system) / 1e6 };
    keep(result);
    await appendFile(results, `${JSON.stringify(result)}\n`);
  }
  printTable();
}

function keep(result: Result): void {
  done.set(`${result.kind} ${result.index}`, result);
}

async function drawn(kind: ZoneKind, index: number) {
  const name = join(into ?? '', `${values.seed}-${zoneKinds.indexOf(kind)}-${index}`);
  const kept = await readFile(`${name}.json`, 'utf8').catch(() => undefined);
  if (kept === undefined) {
    const made = await zonePictures(kind, randomOf(Number(values.seed), zoneKinds.indexOf(kind), index));
    await writeFile(`${name}-front.jpg`, made.front);
    if (made.back !== null) await writeFile(`${name}-back.jpg`, made.back);
    await writeFile(`${name}.json`, JSON.stringify(made.zone));
  }
  return {
    zone: JSON.parse(await readFile(`${name}.json`, 'utf8')) as string[],
    front: await readFile(`${name}-front.jpg`),
    back: await readFile(`${name}-back.jpg`).catch(() => null),
  };
}

function printTable(): void {
  console.log(
    '| Kind | zones found | read by A | by B | by both | check digits passed | wrong passes | of 100,000 characters wrong, A / B | seconds |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|');
  for (const kind of wanted) {
    const rows = [...done.values()].filter(
      (result) => result.kind === kind && result.index < Number(values.count),
    );
    const found = rows.filter(({ a }) => a.length > 0);
    const count = (test: (row: Result) => boolean) => rows.filter(test).length;
    const isRight = (lines: string[], zone: string[]) => lines.join() === zone.join();
    // Reader B may see nothing, or a K, in a filler.
    const isRightB = ({ b, zone }: Result) =>
      b.length > 0 &&
      zone.every((line, row) =>
        Array.from(line).every(
          (c, i) => b[row]?.[i] === c || (c === '<' && ' K'.includes(b[row]?.[i] ?? '')),
        ),
      );
    const passed = rows.filter(({ said }) => said[2] === 'passed');
    const wrongOf = (lines: (row: Result) => string[]) => {
      const all = found.reduce((sum, { zone }) => sum + zone.join('').length, 0);
      const wrong = found.reduce(
        (sum, row) =>
          sum + Array.from(row.zone.join('')).filter((c, i) => lines(row).join('')[i] !== c).length,
        0,
      );
      return Math.round((1e5 * wrong) / Math.max(1, all));
    };
    const seconds = rows.map((row) => row.seconds).toSorted((a, b) => a - b);
    const cells = [
      kind,
      `${found.length} / ${rows.length}`,
      count(({ a, zone }) => isRight(a, zone)),
      count(isRightB),
      count((row) => isRight(row.a, row.zone) && isRightB(row)),
      passed.length,
      passed.filter(({ a, zone }) => !isRight(a, zone)).length,
      `${wrongOf(({ a }) => a)} / ${wrongOf(({ b }) => b)}`,
      `${(seconds[rows.length >> 1] ?? 0).toFixed(2)}`,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

function raise(name: string): never {
  throw new Error(`There is no kind ${name}`);
}
