import { setTimeout as pause } from 'node:timers/promises';
import { balances, describe, type Pair, type Round, roundOf } from './parts/figures.ts';
import type { FloorOrder, FloorSettings } from './parts/floor.ts';
import { type Create, generate, type Load } from './parts/load.ts';
import { processorMsOf } from './parts/processes.ts';
import type { Product } from './parts/product.ts';
import { ask, say, startChild, Void } from './parts/programs.ts';
import type { Arrival } from './parts/receiver.ts';
import type { Receiver, Setting } from './parts/setting.ts';

/** Runs creates on the product or on the bare program. Both use the same servers and the same receiver. */
export type Creator = {
  name: string;
  pids: Record<string, number>;
  run(load: Load): Promise<Create[]>;
  /** Number of deliveries of each create. */
  endpoints: number;
};

const pathsOf = (endpoints: number) => Array.from({ length: endpoints }, (_, n) => `/hooks/${n}`);

export async function startFloor(setting: Setting, receiver: Receiver) {
  const { postgres, temporal, ca } = setting;
  const given: FloorSettings = { databaseUrl: postgres.url, temporalAddress: temporal.address, ca };
  const { child } = await startChild(new URL('./parts/floor.ts', import.meta.url), [JSON.stringify(given)]);
  return (endpoints: number): Creator => {
    const urls = pathsOf(endpoints).map(receiver.url);
    return {
      name: 'floor',
      endpoints,
      pids: { program: child.pid ?? 0, temporal: temporal.pid, postgres: postgres.pid },
      run: (load) => ask(child, { load, urls } satisfies FloorOrder) as Promise<Create[]>,
    };
  };
}

export async function creatorOf(
  { temporal, postgres }: Setting,
  product: Product,
  receiver: Receiver,
  endpoints: number,
): Promise<Creator> {
  const partner = await product.partner(`Bench ${endpoints}`, pathsOf(endpoints).map(receiver.url));
  return {
    name: 'ours',
    endpoints,
    pids: { ...product.pids, temporal: temporal.pid, postgres: postgres.pid },
    run: (load) => generate(load, partner.create),
  };
}

const settleMs = 1_000;

/** Runs one round. Its processor time includes one second after the last arrival, in which the last deliveries end. */
export async function runRound(creator: Creator, receiver: Receiver, load: Load): Promise<Round> {
  await receiver.take();
  const before = processorMsOf(creator.pids);
  const creates = await creator.run(load);
  const arrivals = await allArrivals(receiver, creates.length * creator.endpoints);
  await pause(settleMs);
  const after = processorMsOf(creator.pids);
  const late = await receiver.take();
  const round: Round = {
    ...roundOf({
      program: creator.name,
      creates,
      arrivals: [...arrivals, ...late],
      endpoints: creator.endpoints,
    }),
    processor: Object.fromEntries(
      Object.keys(after).map((name) => [name, ((after[name] ?? 0) - (before[name] ?? 0)) / creates.length]),
    ),
  };
  say(describe(round));
  if (!balances(round)) throw new Void('a create was lost, or delivered twice: the figures say nothing');
  return round;
}

const arrivalMsMax = 60_000;

async function allArrivals({ take }: Receiver, count: number): Promise<Arrival[]> {
  const arrivals: Arrival[] = [];
  for (const deadline = Date.now() + arrivalMsMax; Date.now() < deadline; await pause(100)) {
    arrivals.push(...(await take()));
    if (arrivals.length >= count) break;
  }
  return arrivals;
}

/** The two programs take turns, so that a noisy machine slows both. */
export async function runPairs(
  { floor, ours }: { floor: Creator; ours: Creator },
  receiver: Receiver,
  { load, pairs }: { load: Load; pairs: number },
): Promise<Pair[]> {
  const made: Pair[] = [];
  for (let pair = 0; pair < pairs; pair++)
    made.push({ floor: await runRound(floor, receiver, load), ours: await runRound(ours, receiver, load) });
  return made;
}
