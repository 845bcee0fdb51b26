import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Store } from '#store/database/connection.ts';
import { curves } from './parts/curves.ts';
import { median, quantile } from './parts/figures.ts';
import { type Create, generate } from './parts/load.ts';
import { hostedPersons } from './parts/person.ts';
import { handlesOf, memoryMbOf } from './parts/processes.ts';
import { type Partner, type Product, startProduct } from './parts/product.ts';
import { runBench, say, Void } from './parts/programs.ts';
import { type Receiver, startReceiver, startSetting } from './parts/setting.ts';
import { machineLine, load as machineLoad } from './parts/table.ts';

/**
 * Runs a steady load for a long time: node test/bench/soak.ts [--minutes 90] [--rate 5] [--report docs/soak.md]
 * The receiver of one of five partners answers 500 to everything. Each minute a person walks the hosted page of a live
 * verification. In the second half, memory, sockets and files of API and worker, the bytes of a row and the dead rows of the
 * database must stay flat. Every event must be accounted for. If not, the exit code is 3.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '90' },
    rate: { type: 'string', default: '5' },
    report: { type: 'string' },
  },
});
const seconds = Number(values.minutes) * 60;
const rate = Number(values.rate);
const partners = 5;
const sampleMs = Math.max((seconds * 1_000) / 120, 2_000);
const personEveryMs = 60_000;
const settledMsMax = 60_000;

/** The figures that are drawn, with their unit and the growth that still counts as flat. Vacuum makes dead rows go up and down. */
const kinds = {
  memory: { unit: 'MB', growthMax: 1.05 },
  sockets: { unit: 'open', growthMax: 1.05 },
  files: { unit: 'open', growthMax: 1.05 },
  'row size': { unit: 'bytes', growthMax: 1.05 },
  'dead rows': { unit: 'rows', growthMax: 1.3 },
} as const;
type Kind = keyof typeof kinds;

type Figures = Record<string, number>;
type Sample = { atSeconds: number } & Record<Kind, Figures>;

const each = (pids: Figures, figure: (pid: number) => number): Figures =>
  Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, figure(pid)]));

/** Takes samples until `stop` is called. */
async function watch(pids: Figures, store: Store): Promise<{ samples: Sample[]; stop(): void }> {
  const samples: Sample[] = [];
  const startedMs = performance.now();
  const look = async () => {
    const tables = await tablesOf(store);
    samples.push({
      atSeconds: Math.round((performance.now() - startedMs) / 1_000),
      memory: each(pids, memoryMbOf),
      sockets: each(pids, (pid) => handlesOf(pid).sockets),
      files: each(pids, (pid) => handlesOf(pid).files),
      'row size': { database: tables.bytes / Math.max(tables.live, 1) },
      'dead rows': { database: tables.dead },
    });
  };
  await look();
  const timer = setInterval(() => void look(), sampleMs);
  return { samples, stop: () => clearInterval(timer) };
}

/** The tables of the product with their indexes, as Postgres counts them. */
async function tablesOf({ db }: Store): Promise<{ bytes: number; live: number; dead: number }> {
  const { rows } = await sql<{ bytes: number; live: number; dead: number }>`
    select sum(pg_total_relation_size(relid))::float8 as bytes, sum(n_live_tup)::float8 as live,
      sum(n_dead_tup)::float8 as dead
    from pg_stat_user_tables where schemaname = 'public'`.execute(db);
  return rows[0] ?? { bytes: 0, live: 0, dead: 0 };
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

/** Waits for the verdicts and the deliveries that are under way. */
async function settledBooks(product: Product, expected: number): Promise<Books> {
  for (const until = Date.now() + settledMsMax; Date.now() < until; await pause(1_000)) {
    const books = await booksOf(product);
    if (books.published === expected && books.lost === 0) return books;
  }
  return booksOf(product);
}

/**
 * Returns the mean of the last quarter divided by the mean of quarter `since`. The first half is a warm-up. In that time a worker
 * fills its cache of a thousand open workflows for each queue. Failing deliveries need some eight minutes to fill it.
 */
function growth(samples: readonly Sample[], what: Kind, name: string, since: 2 | 3 = 3): number {
  const quarter = Math.floor(samples.length / 4);
  const mean = (part: readonly Sample[]) =>
    part.reduce((sum, sample) => sum + (sample[what][name] ?? 0), 0) / part.length;
  return mean(samples.slice(-quarter)) / mean(samples.slice((since - 1) * quarter, since * quarter));
}

type Walks = { begun: number; done: number };

/** Sends one person a minute through the hosted page. */
function sendPersons(live: Partner, personOf: ReturnType<typeof hostedPersons>) {
  const walks: Walks = { begun: 0, done: 0 };
  const under: Promise<void>[] = [];
  const walk = async () => {
    walks.begun += 1;
    await personOf(await live.invite()).walk();
    walks.done += 1;
  };
  const timer = setInterval(
    () => under.push(walk().catch((error) => say(`a person: ${error}`))),
    personEveryMs,
  );
  return async (): Promise<Walks> => {
    clearInterval(timer);
    await Promise.all(under);
    return walks;
  };
}

async function soak(product: Product, receiver: Receiver, others: Figures) {
  const paths = Array.from({ length: partners }, (_, n) => (n === 0 ? '/fails' : '/hooks'));
  const made = await Promise.all(paths.map((path, n) => product.partner(`Soak ${n}`, [receiver.url(path)])));
  const live = await product.partner('Soak live', [receiver.url('/hooks')], 'live');
  const lastPersons = sendPersons(live, hostedPersons(product.url));
  let turn = 0;
  const create = () => made[turn++ % partners]?.create() ?? Promise.reject(new Error('no partner'));
  const watched = await watch({ ...product.pids, ...others }, product.store);
  const emptied = setInterval(() => void receiver.take(), 10_000);
  const creates = await generate({ rate, seconds }, create);
  watched.stop();
  const walks = await lastPersons();
  clearInterval(emptied);
  return { samples: watched.samples, creates, walks };
}

const flat: readonly (readonly [string, Kind])[] = [
  ...(['api', 'worker'] as const).flatMap((name) =>
    (['memory', 'sockets', 'files'] as const).map((what) => [name, what] as const),
  ),
  ['database', 'row size'],
  ['database', 'dead rows'],
];

type Outcome = { samples: readonly Sample[]; creates: readonly Create[]; walks: Walks; books: Books };

function reportOf({ samples, creates, walks, books }: Outcome, machine: string): string {
  const times = creates.map(({ scheduledMs, answeredMs }) => answeredMs - scheduledMs);
  const growths = flat.map(
    ([name, what]) =>
      `| ${name}, ${what} | ${growth(samples, what, name, 2).toFixed(2)} | ${growth(samples, what, name).toFixed(2)} |`,
  );
  const pictures = Object.keys(kinds).map((kind) => `![${kind}](images/${pictureOf(kind)})`);
  return `# Soak

${values.minutes} minutes at ${rate} creates a second; the receiver of one partner of ${partners} answers 500 to everything. Each minute a
person walks the hosted page of a live verification.

${machine}

- Creates: ${creates.length} sent, ${creates.filter(({ id }) => id !== undefined).length} answered; POST p50 ${median(times).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms.
- Persons: ${walks.begun} began, ${walks.done} came to the end.
- Events: ${books.published} published = ${books.delivered} delivered + ${books.scheduled} waiting for their next attempt + ${books.lost} lost.

| Mean of the last quarter | relative to the second | relative to the third |
| --- | --- | --- |
${growths.join('\n')}

${pictures.join('\n')}

Temporal's server and Postgres store what they receive, so their memory grows. Memory counts what a process does not share. The row size
is that of all tables with their indexes, divided by the number of their rows.
`;
}

const pictureOf = (kind: string) => `soak-${kind.replace(' ', '-')}.svg`;

async function writeReport(file: string, text: string, samples: readonly Sample[]): Promise<void> {
  const images = join(dirname(file), 'images');
  await mkdir(images, { recursive: true });
  for (const [kind, { unit }] of Object.entries(kinds) as [Kind, { unit: string }][]) {
    const drawn = samples.map((sample) => ({ at: sample.atSeconds, values: sample[kind] }));
    const ending = `${((samples.at(-1)?.atSeconds ?? 0) / 60).toFixed(0)} min`;
    const picture = curves({ title: `${kind}, ${unit}`, ending, samples: drawn });
    await writeFile(join(images, pictureOf(kind)), picture);
  }
  await writeFile(file, text);
}

await runBench(async () => {
  const before = machineLoad();
  const setting = await startSetting('soak');
  const receiver = await startReceiver(setting);
  const product = await startProduct(setting);
  say(`${values.minutes} minutes at ${rate} creates a second, and a person a minute`);
  const others = { temporal: setting.temporal.pid, postgres: setting.postgres.pid };
  const run = await soak(product, receiver, others);
  const { samples, creates, walks } = run;
  const expected = creates.length + walks.done;
  const books = await settledBooks(product, expected);
  const text = reportOf({ ...run, books }, machineLine(before, 'node test/bench/soak.ts'));
  say(text);
  if (values.report) await writeReport(values.report, text, samples);
  const failed = creates.filter(({ id }) => id === undefined).length;
  if (failed > 0 || walks.done < walks.begun || books.lost > 0 || books.published !== expected)
    throw new Void(
      `the books do not balance: ${failed} creates without answer, ${walks.begun - walks.done} persons without an end, ${books.lost} events lost`,
    );
  const grown = flat.filter(([name, what]) => growth(samples, what, name) > kinds[what].growthMax);
  if (grown.length > 0) throw new Void(`not flat: ${grown.map((pair) => pair.join(' ')).join(', ')}`);
});
