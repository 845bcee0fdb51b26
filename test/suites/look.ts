import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { seed } from '../support/seed.ts';

/** What one test file did. A file that broke before its tests has one failure that says so. */
export type FileResult = {
  /** Its path from the root of the project. */
  file: string;
  project: string;
  seconds: number;
  passed: number;
  /** Titles. */
  failed: string[];
  /** Titles, each with its reason. */
  skipped: string[];
  /** False if vitest never came to it, for example because its process died. */
  ended: boolean;
};

/** What one run of vitest found. */
export type Look = {
  files: FileResult[];
  /** What belongs to no file, for example a log with a secret in it. */
  faults: string[];
  searched?: string | undefined;
  /** Failures that were none when the file ran again, alone. */
  unsteady?: string[];
};

/** The environment variable with the path of the file for a `Look`. */
export const lookFileVariable = 'TEST_LOOK_FILE';

/** Runs a program in the foreground and returns its exit code. */
export async function run(command: string, args: readonly string[], options: SpawnOptions = {}) {
  const child = spawn(command, args, { stdio: 'inherit', ...options });
  const [code] = await once(child, 'close');
  return code as number | null;
}

/** Runs vitest with these arguments. A run that leaves no results has one fault. */
export async function look(...args: string[]): Promise<Look> {
  const folder = mkdtempSync(join(tmpdir(), 'look-'));
  const file = join(folder, 'look.json');
  try {
    const env = { ...process.env, [lookFileVariable]: file };
    const code = await run('npx', ['--no-install', 'vitest', 'run', ...args], { env });
    if (!existsSync(file)) return { files: [], faults: [`vitest ended with ${code} and left no results`] };
    const found = JSON.parse(readFileSync(file, 'utf8')) as Look;
    if (found.files.length === 0) found.faults.push('there was nothing to run');
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** More files than these do not fail by chance. */
const secondLooksMax = 20;

const isBad = ({ failed, ended }: FileResult) => failed.length > 0 || !ended;

/**
 * Runs what failed once more: alone, on fresh servers, after everything else. A file that is green then is green, and its failures
 * are named as unsteady. A unit test waits for nothing, so it gets no second look; neither does a fault that belongs to no file.
 */
export async function secondLook(first: Look, again = look): Promise<Look> {
  const wanted = first.files.filter((result) => isBad(result) && result.project !== 'unit');
  if (wanted.length > secondLooksMax) return first;
  const unsteady: string[] = [];
  const files = [...first.files];
  const faults = [...first.faults];
  for (const { file, project, failed, ended } of wanted) {
    process.stdout.write(`\na second look, alone: ${file}\n`);
    const second = await again('--project', project, '--maxWorkers', '1', resolve(file));
    const result = second.files.find((found) => found.file === file);
    faults.push(...second.faults);
    if (result === undefined) continue;
    files[files.findIndex((found) => found.file === file)] = result;
    const said = ended ? failed : ['its process died'];
    if (!isBad(result) && second.faults.length === 0)
      unsteady.push(...said.map((title) => `${file} › ${title}`));
  }
  return { ...first, files, faults, unsteady };
}

export const passedIn = ({ files }: Look): number => files.reduce((sum, { passed }) => sum + passed, 0);

/** All that is red: tests by file and title, then what belongs to no file. */
export const failuresIn = ({ files, faults }: Look): string[] => [
  ...files
    .filter(isBad)
    .flatMap(({ file, failed, ended }) =>
      (ended ? failed : ['it never ended']).map((title) => `${file} › ${title}`),
    ),
  ...faults,
];

/** The lines that end a suite. The last one counts. */
export function linesOf(look: Look): string[] {
  const { files, searched, unsteady = [] } = look;
  const skipped = files.flatMap((result) => result.skipped);
  const failures = failuresIn(look);
  return [
    ...skipped.map((line) => `skipped: ${line}`),
    ...(searched === undefined ? [] : [searched]),
    ...failures.map((line) => `FAIL ${line}`),
    ...(failures.length > 0 ? [`seed: ${seed} (TEST_SEED=${seed} draws the same again)`] : []),
    ...unsteady.map((line) => `unsteady: ${line}`),
    ...(unsteady.length > 0 ? [`${unsteady.length} unsteady`] : []),
    `${passedIn(look)} passed, ${failures.length} failed${skipped.length === 0 ? '' : `, ${skipped.length} skipped`}`,
  ];
}

/** Ends a suite: prints its lines, and the process fails if anything is red. */
export function conclude(look: Look): void {
  for (const line of linesOf(look)) process.stdout.write(`${line}\n`);
  process.exitCode = failuresIn(look).length === 0 ? 0 : 1;
}

/** The files that took longest, for whoever wants to make the suite quicker. */
export const slowest = ({ files }: Look, count = 10): string[] =>
  [...files]
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${file}`);
