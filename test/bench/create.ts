import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { defaultCacheDir } from '#worker/standalone/cache-dir.ts';
import { ensureListenCa, issueServerCertificate } from '#worker/standalone/certificates.ts';
import { startPostgres } from '#worker/standalone/postgres.ts';
import { cliSearchAttributes } from '#worker/standalone/search-attributes.ts';
import { findTemporal, startTemporal } from '#worker/standalone/temporal.ts';
import { balances, describe, median, type Round, ratio, roundOf } from './figures.ts';
import type { FloorSettings } from './floor.ts';
import type { Create, Load } from './load.ts';
import { type Program, startOurs } from './ours.ts';
import { processorMs } from './processor-time.ts';
import type { Arrival } from './receiver.ts';

/**
 * How long a create takes, from its POST to the first byte of its webhook at the receiver, beside the least that the same
 * guarantees cost (floor.ts): node test/bench/create.ts [--rate 20] [--rounds 4] [--seconds 15]
 * Exit code 3: a create was lost or delivered twice, so the figures say nothing.
 */
const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '15' },
  },
});
const load: Load = { rate: Number(values.rate), seconds: Number(values.seconds) };
const rounds = Number(values.rounds);

const warmUpSeconds = 5;
const arrivalMsMax = 20_000;
const settleMs = 1_000;
const voidExitCode = 3;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const stops: (() => Promise<unknown>)[] = [];
let stopping: Promise<void> | undefined;
const stopAll = () => (stopping ??= stopInTurn());

async function stopInTurn(): Promise<void> {
  for (const stop of stops.reverse()) await stop().catch((error: unknown) => say(String(error)));
}

async function startServers(folder: string) {
  const [postgres, binary] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'servers'), durable: true, say }),
    findTemporal({ cacheDir: defaultCacheDir(process.env), say }),
  ]);
  stops.push(postgres.stop);
  const temporal = await startTemporal({
    binary,
    dbFile: join(folder, 'temporal.db'),
    uiPort: null,
    logFile: join(folder, 'temporal.log'),
    searchAttributes: cliSearchAttributes,
    say,
  });
  stops.push(temporal.stop);
  return { postgres, temporal };
}

/** One of our own programs, in a process that ends with ours. */
async function startChild(file: string, args: string[]): Promise<{ child: ChildProcess; ready: unknown }> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args);
  child.on('error', () => undefined);
  child.once('exit', () => child.emit('error', new Error(`${file} ended by itself`)));
  stops.push(async () => {
    if (child.kill()) await new Promise((resolve) => child.once('exit', resolve));
  });
  return { child, ready: await answerOf(child) };
}

/** Its next message; an error when it ends instead. */
async function answerOf(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, 'message');
  return message;
}

function ask(child: ChildProcess, question: object): Promise<unknown> {
  const answer = answerOf(child);
  child.send(question);
  return answer;
}

async function startReceiver(folder: string) {
  const { cert: ca } = await ensureListenCa(folder);
  const issued = await issueServerCertificate(folder, ['localhost', '127.0.0.1']);
  const files = [join(folder, 'receiver.pem'), join(folder, 'receiver.key')] as const;
  await writeFile(files[0], issued.cert);
  await writeFile(files[1], issued.key, { mode: 0o600 });
  const { child, ready } = await startChild('./receiver.ts', [...files]);
  const take = () => ask(child, { take: true }) as Promise<Arrival[]>;
  return { url: `https://localhost:${ready}/hooks`, ca, take };
}

async function startFloor(settings: FloorSettings): Promise<Program> {
  const { child } = await startChild('./floor.ts', [JSON.stringify(settings)]);
  return {
    pid: child.pid ?? 0,
    run: (load) => ask(child, load) as Promise<Create[]>,
    stop: async () => undefined,
  };
}

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'bench-create-'));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  // As root, Postgres runs as another user, who must be able to enter.
  await chmod(folder, 0o711);
  const { postgres, temporal } = await startServers(folder);
  // The product trusts the authority of its own data directory.
  const dataDir = join(folder, 'product');
  const receiver = await startReceiver(dataDir);
  const given = { databaseUrl: postgres.url, temporalAddress: temporal.address, receiverUrl: receiver.url };
  const floor = await startFloor({ ...given, ca: receiver.ca });
  const ours = await startOurs({ ...given, folder: dataDir });
  stops.push(ours.stop);
  return { programs: { floor, ours }, servers: { temporal: temporal.pid, postgres: postgres.pid }, receiver };
}

type Setting = Awaited<ReturnType<typeof setUp>>;

/** One round; its trailing work, the end of the last deliveries, is part of it. */
async function runRound(setting: Setting, name: keyof Setting['programs'], load: Load): Promise<Round> {
  const program = setting.programs[name];
  const pids = { program: program.pid, ...setting.servers };
  const before = processorTimes(pids);
  const creates = await program.run(load);
  const arrivals = await allArrivals(setting, creates.length);
  await pause(settleMs);
  const after = processorTimes(pids);
  const times = roundOf(name, creates, [...arrivals, ...(await setting.receiver.take())]);
  const processor = Object.fromEntries(
    Object.keys(after).map((name) => [name, perCreate(before[name], after[name], creates.length)]),
  );
  const round = { ...times, processor };
  say(describe(round));
  if (!balances(times)) throw new Void('sent, answered and received differ: the figures say nothing');
  return round;
}

class Void extends Error {}

const processorTimes = (pids: Record<string, number>): Record<string, number | undefined> =>
  Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, processorMs(pid)]));

const perCreate = (before: number | undefined, after: number | undefined, creates: number) =>
  before === undefined || after === undefined ? undefined : (after - before) / creates;

async function allArrivals({ receiver }: Setting, count: number): Promise<Arrival[]> {
  const arrivals: Arrival[] = [];
  for (const deadline = Date.now() + arrivalMsMax; Date.now() < deadline; await pause(100)) {
    arrivals.push(...(await receiver.take()));
    if (arrivals.length >= count) break;
  }
  return arrivals;
}

const sayRatios = (name: string, ratios: number[]) =>
  say(`${name}: ${ratios.map((value) => value.toFixed(2)).join(', ')}; median ${median(ratios).toFixed(2)}`);

async function measure(): Promise<void> {
  const loads = () =>
    `load average ${loadavg()
      .map((value) => value.toFixed(2))
      .join(', ')}`;
  say(`${availableParallelism()} x ${cpus()[0]?.model ?? 'unknown'}; Node ${process.version}; ${loads()}`);
  const setting = await setUp();
  for (const name of ['floor', 'ours'] as const)
    await runRound(setting, name, { ...load, seconds: warmUpSeconds });
  say(`warm; ${rounds} pairs of ${load.seconds} s at ${load.rate} creates a second, p50 / p90 / p99 in ms:`);

  const pairs: { floor: Round; ours: Round }[] = [];
  for (let pair = 0; pair < rounds; pair++)
    pairs.push({
      floor: await runRound(setting, 'floor', load),
      ours: await runRound(setting, 'ours', load),
    });
  say(loads());
  for (const share of [0.5, 0.9, 0.99])
    for (const what of ['post', 'sendToFirstByte', 'answerToFirstByte'] as const)
      sayRatios(
        `${what} p${share * 100}, ours / floor`,
        pairs.map(({ floor, ours }) => ratio(ours, floor, what, share)),
      );
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stopAll().then(() => process.exit(130)));

try {
  await measure();
} catch (error) {
  process.exitCode = error instanceof Void ? voidExitCode : 1;
  say(error instanceof Void ? error.message : String(error));
} finally {
  await stopAll();
}
