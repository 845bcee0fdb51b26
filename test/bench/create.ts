import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { balances, describe, type Round, ratio, roundOf } from './figures.ts';
import type { FloorSettings } from './floor.ts';
import type { Create, Load } from './load.ts';
import { type Program, startOurs } from './ours.ts';
import { processorMs } from './processor-time.ts';
import { ask, runBench, say, sayMachine, sayRatios, startChild, stops, Void } from './programs.ts';
import type { Arrival } from './receiver.ts';
import { newFolder, startReceiver, startServers } from './setting.ts';

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

async function startFloor(settings: FloorSettings): Promise<Program> {
  const { child } = await startChild('./floor.ts', [JSON.stringify(settings)]);
  return {
    pid: child.pid ?? 0,
    run: (load) => ask(child, load) as Promise<Create[]>,
    stop: async () => undefined,
  };
}

async function setUp() {
  const folder = await newFolder('create');
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

async function measure(): Promise<void> {
  sayMachine();
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
  sayMachine();
  for (const share of [0.5, 0.9, 0.99])
    for (const what of ['post', 'sendToFirstByte', 'answerToFirstByte'] as const)
      sayRatios(
        `${what} p${share * 100}, ours / floor`,
        pairs.map(({ floor, ours }) => ratio(ours, floor, what, share)),
      );
}

await runBench(measure);
