import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { curves } from './curves.ts';
import { median, quantile } from './figures.ts';
import { type Create, generate } from './load.ts';
import { handlesOf, memoryMbOf } from './processes.ts';
import { type Product, startProduct } from './product.ts';
import { runBench, say, Void } from './programs.ts';
import { type Receiver, startReceiver, startSetting } from './setting.ts';
import { machineLine, load as machineLoad } from './table.ts';

/**
 * Runs a steady load for a long time: node test/bench/soak.ts [--minutes 20] [--rate 10] [--report docs/soak.md]
 * The receiver of one of five partners answers 500 to everything. Memory, sockets and file handles of API and worker must stay
 * flat, and every event must be accounted for. If not, the exit code is 3.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    rate: { type: 'string', default: '10' },
    report: { type: 'string' },
  },
});
const seconds = Number(values.minutes) * 60;
const rate = Number(values.rate);
const partners = 5;
const sampleMs = Math.max((seconds * 1_000) / 120, 2_000);
const growthMax = 1.05;
const settledMsMax = 60_000;

type Sample = { atSeconds: number; memory: Figures; sockets: Figures; files: Figures };
type Figures = Record<string, number>;

const each = (pids: Figures, figure: (pid: number) => number): Figures =>
  Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, figure(pid)]));

/** Takes samples until `stop` is called. */
function watch(pids: Figures): { samples: Sample[]; stop(): void } {
  const samples: Sample[] = [];
  const startedMs = performance.now();
  const look = () => {
    const handles = Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, handlesOf(pid)]));
    samples.push({
      atSeconds: Math.round((performance.now() - startedMs) / 1_000),
      memory: each(pids, memoryMbOf),
      sockets: Object.fromEntries(Object.entries(handles).map(([name, one]) => [name, one.sockets])),
      files: Object.fromEntries(Object.entries(handles).map(([name, one]) => [name, one.files])),
    });
  };
  look();
  const timer = setInterval(look, sampleMs);
  return { samples, stop: () => clearInterval(timer) };
}

type Books = { published: number; delivered: number; scheduled: number; lost: number };

/** A delivery is lost if it is not delivered and has no scheduled attempt, or if that attempt is overdue by 30 s. */
async function booksOf({ store }: Product): Promise<Books> {
  const { rows } = await sql<Books>`
    select count(*)::int as published,
      (count(*) filter (where status = 'delivered'))::int as delivered,
      (count(*) filter (where status = 'retrying' and next_attempt_at > now() - interval '30 seconds'))::int as scheduled,
      (count(*) filter (where status not in ('delivered', 'retrying')
        or status = 'retrying' and next_attempt_at <= now() - interval '30 seconds'))::int as lost
    from deliveries`.execute(store.db);
  return rows[0] as Books;
}

async function settledBooks(product: Product): Promise<Books> {
  for (const until = Date.now() + settledMsMax; Date.now() < until; await pause(1_000)) {
    const books = await booksOf(product);
    if (books.lost === 0) return books;
  }
  return booksOf(product);
}

/**
 * Returns the mean of the last quarter divided by the mean of quarter `since`. The first half is a warm-up. In that time a worker
 * fills its cache of a thousand open workflows for each queue. Failing deliveries need some eight minutes to fill it.
 */
function growth(
  samples: readonly Sample[],
  what: 'memory' | 'sockets' | 'files',
  name: string,
  since: 2 | 3 = 3,
) {
  const quarter = Math.floor(samples.length / 4);
  const mean = (part: readonly Sample[]) =>
    part.reduce((sum, sample) => sum + (sample[what][name] ?? 0), 0) / part.length;
  return mean(samples.slice(-quarter)) / mean(samples.slice((since - 1) * quarter, since * quarter));
}

async function soak(product: Product, receiver: Receiver, others: Figures) {
  const paths = Array.from({ length: partners }, (_, n) => (n === 0 ? '/fails' : '/hooks'));
  const made = await Promise.all(paths.map((path, n) => product.partner(`Soak ${n}`, [receiver.url(path)])));
  let turn = 0;
  const create = () => made[turn++ % partners]?.create() ?? Promise.reject(new Error('no partner'));
  const watched = watch({ ...product.pids, ...others });
  const emptied = setInterval(() => void receiver.take(), 10_000);
  const creates = await generate({ rate, seconds }, create);
  watched.stop();
  clearInterval(emptied);
  return { samples: watched.samples, creates };
}

const flat = [
  ['api', 'memory'],
  ['worker', 'memory'],
  ['api', 'sockets'],
  ['worker', 'sockets'],
  ['api', 'files'],
  ['worker', 'files'],
] as const;

function reportOf(
  samples: readonly Sample[],
  creates: readonly Create[],
  books: Books,
  machine: string,
): string {
  const times = creates.map(({ scheduledMs, answeredMs }) => answeredMs - scheduledMs);
  const growths = flat.map(
    ([name, what]) =>
      `| ${name}, ${what} | ${growth(samples, what, name, 2).toFixed(2)} | ${growth(samples, what, name).toFixed(2)} |`,
  );
  return `# Soak

${values.minutes} minutes at ${rate} creates a second; the receiver of one partner of ${partners} answers 500 to everything.

${machine}

- Creates: ${creates.length} sent, ${creates.filter(({ id }) => id !== undefined).length} answered; POST p50 ${median(times).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms.
- Events: ${books.published} published = ${books.delivered} delivered + ${books.scheduled} waiting for their next attempt + ${books.lost} lost.

| Mean of the last quarter | relative to the second | relative to the third |
| --- | --- | --- |
${growths.join('\n')}

![Memory](images/soak-memory.svg)
![Sockets](images/soak-sockets.svg)
![Open files, sockets included](images/soak-files.svg)

Temporal's server and Postgres store what they receive, so their memory grows. Memory counts what a process does not share.
`;
}

await runBench(async () => {
  const before = machineLoad();
  const setting = await startSetting('soak');
  const receiver = await startReceiver(setting);
  const product = await startProduct(setting);
  say(`${values.minutes} minutes at ${rate} creates a second`);
  const others = { temporal: setting.temporal.pid, postgres: setting.postgres.pid };
  const { samples, creates } = await soak(product, receiver, others);
  const books = await settledBooks(product);
  const text = reportOf(samples, creates, books, machineLine(before, 'node test/bench/soak.ts'));
  say(text);
  if (values.report) {
    const images = join(dirname(values.report), 'images');
    await mkdir(images, { recursive: true });
    for (const [what, unit] of [
      ['memory', 'MB'],
      ['sockets', 'open'],
      ['files', 'open'],
    ] as const)
      await writeFile(
        join(images, `soak-${what}.svg`),
        curves({
          title: `${what}, ${unit}`,
          samples: samples.map((one) => ({ atSeconds: one.atSeconds, values: one[what] })),
        }),
      );
    await writeFile(values.report, text);
  }
  const failed = creates.filter(({ id }) => id === undefined).length;
  const grown = flat.filter(([name, what]) => growth(samples, what, name) > growthMax);
  if (failed > 0 || books.lost > 0 || books.published !== creates.length)
    throw new Void(`the books do not balance: ${failed} creates without answer, ${books.lost} events lost`);
  if (grown.length > 0) throw new Void(`not flat: ${grown.map((pair) => pair.join(' ')).join(', ')}`);
});
