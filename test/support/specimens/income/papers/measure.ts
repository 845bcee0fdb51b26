import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { cleanCases } from './clean.ts';
import { hostileFiles } from './hostile.ts';
import { plantedGroups } from './planted.ts';
import { trustedRoot } from './signing.ts';
import { type Case, checkKinds, type Planted, type Truth } from './truth.ts';

/**
 * Measures an engine for income documents against papers whose truth is known, and prints tables:
 *
 *     node test/support/specimens/income/papers/measure.ts --only clean,planted,foreign,hostile
 *
 * `--engine FOLDER` takes the engine of another checkout. `--group NAME` takes one group of planted faults, `--match TEXT` the hostile
 * files with this text in their names, and `--list` prints each miss and each false alarm.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: join(import.meta.dirname, '../../../../..') },
    only: { type: 'string', default: 'clean,planted,foreign,hostile' },
    group: { type: 'string' },
    match: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
  },
});

type Verdict = 'passed' | 'failed' | 'doubt' | 'not_applicable';
type Facts = { readable: boolean; reason?: string };
type Judgement = {
  checks: { kind: string; result: Verdict; documentId: string | null }[];
  signals: {
    kind: string;
    sign?: string;
    documentId: string;
    page: number | null;
    found: string | null;
    expected: string | null;
  }[];
  result: {
    employerName: string | null;
    periodStart: string | null;
    periodEnd: string | null;
    grossCents: number | null;
    netCents: number | null;
  } | null;
  documents: { id: string; type: string | null }[];
};
type Reader = { read(pdf: Uint8Array): Promise<{ facts: Facts }>; close(): Promise<void> };

/** A part of the engine, by its path in the checkout. */
const part = async (path: string) => import(pathToFileURL(resolve(values.engine, path)).href);

async function engine(): Promise<{
  reader: Reader;
  judge(papers: { id: string; facts: Facts }[], context: object): Judgement;
}> {
  const log = pino({ level: 'silent' });
  const { findIsolation } = await part('shared/platform/isolated/isolation.ts');
  const { noInstruments } = await part('shared/platform/telemetry/instruments.ts');
  const { startIncomeReader } = await part('activities/checks/income/reader.ts');
  const { judge } = await part('activities/checks/income/judging/judge.ts');
  const isolation = await findIsolation(log);
  const anchors = [trustedRoot().certificate];
  return { reader: startIncomeReader({ isolation, log, instruments: noInstruments, anchors }, 1), judge };
}

const { reader, judge } = await engine();
const tookMs: number[] = [];
const wanted = new Set(values.only.split(','));

async function read(bytes: Buffer): Promise<Facts> {
  const startedMs = performance.now();
  try {
    return (await reader.read(bytes)).facts;
  } finally {
    tookMs.push(performance.now() - startedMs);
  }
}

const readAgain = (bytes: Buffer): Promise<Facts> => read(bytes).catch(() => read(bytes));

async function judged({ papers, today, linkedName, known }: Case): Promise<Judgement> {
  const facts: { id: string; facts: Facts }[] = [];
  for (const [at, { bytes }] of papers.entries()) {
    // On a busy machine a program may not start in time. That says nothing about the paper.
    facts.push({ id: `paper ${at}`, facts: await readAgain(bytes) });
  }
  return judge(facts, { today, linkedName, known, wanted: null, signedTypes: [] });
}

const signsOf = ({ signals }: Judgement, kinds: readonly string[]): string =>
  signals
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ kind, sign, found, expected }) => `${kind}/${sign} (${found ?? '-'} | ${expected ?? '-'})`)
    .join('; ');

function row(...cells: (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}

/** The worst result of some checks. */
function worst({ checks }: Judgement, kinds: readonly string[]): Verdict {
  const results = checks.filter(({ kind }) => kinds.includes(kind)).map(({ result }) => result);
  return (['failed', 'doubt', 'passed'] as const).find((each) => results.includes(each)) ?? 'not_applicable';
}

// Papers without a fault.

const falseAlarms: string[] = [];

async function clean(title: string, cases: Case[]): Promise<void> {
  const counts = Object.fromEntries(
    checkKinds.map((kind) => [kind, { passed: 0, doubt: 0, failed: 0, not_applicable: 0 }]),
  );
  const values = {
    type: [0, 0],
    employerName: [0, 0],
    periodStart: [0, 0],
    periodEnd: [0, 0],
    grossCents: [0, 0],
    netCents: [0, 0],
  };
  let quiet = 0;
  for (const each of cases) {
    const judgement = await judged(each);
    for (const { kind, result } of judgement.checks) {
      const count = counts[kind];
      if (count) count[result]++;
    }
    const alarming = checkKinds.filter((kind) => ['failed', 'doubt'].includes(worst(judgement, [kind])));
    // A number that is found is flagged. That is no alarm.
    const real = alarming.filter((kind) => kind !== 'citizen_service_number');
    if (real.length === 0) quiet++;
    else
      falseAlarms.push(
        `${each.name}: ${real.map((kind) => `${kind} ${worst(judgement, [kind])}`).join(', ')}: ${signsOf(judgement, real)}`,
      );
    compare(each, judgement, values);
  }
  console.log(`\n## ${title}: ${cases.length} cases, ${quiet} without any alarm\n`);
  row('check', 'passed', 'not applicable', 'doubt (false)', 'failed (false)');
  row('---', '--:', '--:', '--:', '--:');
  for (const [kind, { passed, doubt, failed, not_applicable }] of Object.entries(counts))
    row(kind, passed, not_applicable, doubt, failed);
  console.log('');
  row('value of the result', 'right', 'wrong or missing');
  row('---', '--:', '--:');
  for (const [name, [right = 0, wrong = 0]] of Object.entries(values)) row(name, right, wrong);
}

/** Compares the result with the truth of the newest slip. */
function compare(
  { name, papers }: Case,
  { result, documents }: Judgement,
  counts: Record<string, number[]>,
): void {
  const count = (key: string, right: boolean, detail: string) => {
    const place = right ? 0 : 1;
    const tally = counts[key] ?? [];
    tally[place] = (tally[place] ?? 0) + 1;
    if (!right) falseAlarms.push(`value ${key} of ${name}: ${detail}`);
  };
  for (const [at, { truth }] of papers.entries())
    count('type', documents[at]?.type === truth.type, String(documents[at]?.type));
  const slips = papers.map(({ truth }) => truth).filter(({ type }) => type === 'payslip');
  const newest = slips.toSorted((a, b) => (a.periodEnd ?? '').localeCompare(b.periodEnd ?? '')).at(-1);
  if (newest === undefined) return;
  count(
    'employerName',
    result?.employerName === newest.employer,
    `${result?.employerName} for ${newest.employer}`,
  );
  for (const key of ['periodStart', 'periodEnd', 'grossCents', 'netCents'] as const)
    count(key, result?.[key] === newest[key], `${result?.[key]} for ${newest[key]}`);
}

// Planted faults.

type Tally = {
  weight: Planted['weight'];
  planted: number;
  failed: number;
  doubt: number;
  silent: number;
  elsewhere: number;
};
const misses: string[] = [];

/** Counts how the planted faults of cases are found, by their kinds. */
async function planted(title: string, cases: Case[]): Promise<void> {
  const tallies = new Map<string, Tally>();
  for (const each of cases) {
    const judgement = await judged(each);
    for (const fault of each.planted) count(tallies, each, fault, judgement);
  }
  console.log(`\n## ${title}: ${cases.length} cases\n`);
  row('planted', 'wanted', 'number', 'failed', 'doubt', 'not found', 'of these with an alarm elsewhere');
  row('---', '---', '--:', '--:', '--:', '--:', '--:');
  for (const [kind, { weight, planted, failed, doubt, silent, elsewhere }] of tallies)
    row(kind, weight, planted, failed, doubt, silent, elsewhere);
}

function count(
  tallies: Map<string, Tally>,
  { name }: Case,
  { kind, weight, by, found }: Planted,
  judgement: Judgement,
): void {
  const tally = tallies.get(kind) ?? { weight, planted: 0, failed: 0, doubt: 0, silent: 0, elsewhere: 0 };
  tallies.set(kind, tally);
  tally.planted++;
  const said = worst(judgement, by);
  const others = checkKinds.filter((each) => !by.includes(each) && each !== 'citizen_service_number');
  if (said === 'failed') tally.failed++;
  else if (said === 'doubt') tally.doubt++;
  else {
    tally.silent++;
    if (['failed', 'doubt'].includes(worst(judgement, others))) tally.elsewhere++;
  }
  const isMiss =
    weight === 'nothing'
      ? said === 'failed' || said === 'doubt'
      : said !== 'failed' && (weight === 'alarm' || said !== 'doubt');
  if (isMiss)
    misses.push(
      `${name} [${found ?? ''}]: wanted ${weight} by ${by.join('/')}, got ${said}; signs: ${signsOf(judgement, checkKinds)}`,
    );
}

// Files of other writers.

type Foreign = {
  file: string;
  made_by: string;
  kind: string;
  today: string;
  truth: Truth;
  weight?: Planted['weight'];
  by?: string[];
};

async function foreign(): Promise<void> {
  const folder = join(import.meta.dirname, '../foreign');
  if (!existsSync(join(folder, 'truths.json'))) return;
  const list: Foreign[] = JSON.parse(readFileSync(join(folder, 'truths.json'), 'utf8'));
  const cases = list.map(({ file, made_by, kind, today, truth, weight, by }): Case => {
    const planted: Planted[] =
      weight === undefined ? [] : [{ kind: `${kind}: ${made_by}`, paper: 0, weight, by: by ?? [] }];
    const papers = [{ name: file, bytes: readFileSync(join(folder, file)), truth }];
    return { name: file, today, linkedName: truth.person, papers, known: [], anchors: [], planted };
  });
  await clean(
    'Clean files of other writers',
    cases.filter((each) => each.planted.length === 0),
  );
  await planted(
    'Files that other programs tampered with',
    cases.filter((each) => each.planted.length > 0),
  );
}

// Files that want to break the reader.

async function hostile(): Promise<void> {
  const outcomes = new Map<string, number>();
  const slow: string[] = [];
  const wrong: string[] = [];
  const files = hostileFiles().filter(({ name }) => name.includes(values.match));
  for (const { name, readable, make } of files) {
    const bytes = await make();
    const startedMs = performance.now();
    const facts = await read(bytes).catch((cause: unknown) => ({
      readable: false,
      reason: `REJECTED: ${cause}`,
    }));
    const ms = Math.round(performance.now() - startedMs);
    const outcome = facts.readable ? 'readable' : `not readable: ${facts.reason}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (ms > 5_000) slow.push(`${name}: ${ms} ms, ${outcome}`);
    if ((readable !== undefined && readable !== facts.readable) || outcome.includes('REJECTED'))
      wrong.push(`${name}: ${outcome}`);
    if (values.list) console.log(`${name}: ${outcome}, ${bytes.length} bytes, ${ms} ms`);
  }
  console.log(`\n## Hostile files: ${files.length}\n`);
  for (const [outcome, number] of [...outcomes].sort()) row(outcome, number);
  console.log(`\nLonger than 5 seconds: ${slow.length}\n${slow.join('\n')}`);
  console.log(`\nOther than they should be: ${wrong.length}\n${wrong.join('\n')}`);
  const good = (await cleanCases())[0]?.papers[0];
  if (good) console.log(`\nA clean paper after them: ${JSON.stringify((await read(good.bytes)).readable)}`);
}

if (wanted.has('clean')) await clean('Clean papers', await cleanCases());
if (wanted.has('planted'))
  for (const [name, make] of Object.entries(plantedGroups))
    if (values.group === undefined || values.group === name) await planted(name, await make());
if (wanted.has('foreign')) await foreign();
if (wanted.has('hostile')) await hostile();
if (values.list)
  console.log(
    `\nFalse alarms and wrong values\n\n${falseAlarms.join('\n')}\n\nMisses\n\n${misses.join('\n')}`,
  );
const sorted = tookMs.toSorted((a, b) => a - b);
const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
console.log(
  `\n${sorted.length} papers, half of them within ${at(0.5)} ms, 95 % within ${at(0.95)} ms, the slowest ${Math.round(sorted.at(-1) ?? 0)} ms`,
);
await reader.close();
