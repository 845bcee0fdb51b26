import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { conclude, failuresIn, type Look, look, passedIn, run, secondLook } from './look.ts';
import { type Part, parts } from './parts.ts';

/**
 * `npm run test:whole`: everything that the gate leaves out because it is slow by nature, in parts of at most nine minutes. The result
 * of each part is kept for the code that it ran on, so a run goes on where the last one stopped.
 */

const root = join(import.meta.dirname, '../..');
const file = join(root, '.build/test-whole.json');
const say = (line = '') => void process.stdout.write(`${line}\n`);

type Result = { look: Look; seconds: number };
type Kept = { code: string; results: Record<string, Result> };

const { values } = parseArgs({ options: { list: { type: 'boolean' }, part: { type: 'string' } } });

/** The code that runs: the last commit's tree, and all that differs from it. */
function codeHere(): string {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, maxBuffer: 2 ** 28 }).stdout;
  const hash = createHash('sha256');
  for (const part of [git('rev-parse', 'HEAD^{tree}'), git('diff', 'HEAD'), git('status', '--porcelain')])
    hash.update(part);
  return hash.digest('hex');
}

const code = codeHere();

function keptResults(): Kept['results'] {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept;
    return kept.code === code ? kept.results : {};
  } catch {
    return {};
  }
}

const results = keptResults();

function keep(number: number, result: Result): void {
  results[number] = result;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ code, results } satisfies Kept));
}

async function lookAt(part: Part): Promise<Look> {
  if ('files' in part) return secondLook(await look('--project', part.project, ...part.files));
  const exit = await run('npm', ['run', '--silent', part.script], { cwd: root });
  const failed = exit === 0 ? [] : [`it ended with ${exit}`];
  const result = { file: `npm run ${part.script}`, project: 'script', seconds: 0 };
  return { files: [{ ...result, passed: exit === 0 ? 1 : 0, failed, skipped: [], ended: true }], faults: [] };
}

const partOf = (number: number): Part => {
  const part = parts[number - 1];
  if (part === undefined) throw new Error(`there is no part ${number}; there are ${parts.length}`);
  return part;
};

async function runPart(number: number): Promise<void> {
  const part = partOf(number);
  say(`\npart ${number} of ${parts.length}: ${part.name}, some ${Math.round(part.seconds)} s`);
  const began = performance.now();
  const found = await lookAt(part);
  keep(number, { look: found, seconds: (performance.now() - began) / 1_000 });
}

const row = (cells: (string | number)[]) =>
  cells.map((cell, index) => (index === 1 ? String(cell).padEnd(18) : String(cell).padStart(9))).join('');

function tableOfResults(): void {
  say(`\n${row(['part', '  of', 'files', 'passed', 'failed', 'unsteady', 'seconds'])}`);
  for (const [index, part] of parts.entries()) {
    const result = results[index + 1];
    const known = result === undefined ? ['-', '-', '-', '-', '-'] : figures(result);
    say(row([index + 1, `  ${part.name}`, ...known]));
  }
}

const figures = ({ look, seconds }: Result): number[] => [
  ...[look.files.length, passedIn(look), failuresIn(look).length, look.unsteady?.length ?? 0],
  Math.round(seconds),
];

function listParts(): void {
  for (const [index, part] of parts.entries()) {
    say(`part ${index + 1}: ${part.name}, some ${Math.round(part.seconds)} s`);
    if ('files' in part) for (const each of part.files) say(`  ${each}`);
  }
}

/** The results of these parts as one, for the closing lines. */
function all(numbers: number[]): Look {
  const looks = numbers.map((number) => results[number]?.look);
  return {
    files: looks.flatMap((each) => each?.files ?? []),
    faults: looks.flatMap((each) => each?.faults ?? []),
    unsteady: looks.flatMap((each) => each?.unsteady ?? []),
  };
}

if (values.list) listParts();
else {
  const numbers = values.part === undefined ? parts.map((_, index) => index + 1) : [Number(values.part)];
  for (const number of numbers)
    if (values.part !== undefined || results[number] === undefined) await runPart(number);
  tableOfResults();
  conclude(all(numbers));
}
