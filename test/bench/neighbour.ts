import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { balances, describe, type Round, ratio, roundOf } from './figures.ts';
import { type Load, openLoop } from './load.ts';
import { startProduct } from './ours.ts';
import { processorMs } from './processor-time.ts';
import { runBench, say, sayMachine, sayRatios, stopStarted, stops, Void } from './programs.ts';
import { newFolder, startReceiver, startServers } from './setting.ts';

/**
 * What an organisation notices of another whose receiver hangs: node test/bench/neighbour.ts [--events 2000] [--rate 10]
 * [--seconds 20] [--pairs 3]. In each run the one creates its events first; in a noisy run their receiver never answers, in
 * a quiet one it answers at once and all have been delivered when the measuring begins. Every run has servers of its own.
 * Exit code 3: an event of the measured organisation was lost or came twice, so the figures say nothing.
 */
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '2000' },
    rate: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '20' },
    pairs: { type: 'string', default: '3' },
  },
});
const events = Number(values.events);
const load: Load = { rate: Number(values.rate), seconds: Number(values.seconds) };
const pairs = Number(values.pairs);

const createsAtOnce = 16;
const warmUp: Load = { rate: 10, seconds: 3 };
const arrivalMsMax = 60_000;
const settleMs = 2_000;

type Kind = 'quiet' | 'noisy';

async function runOnce(kind: Kind): Promise<Round> {
  const folder = await newFolder('neighbour');
  const { postgres, temporal } = await startServers(folder);
  const dataDir = join(folder, 'product');
  const [theirs, ours] = [await startReceiver(dataDir), await startReceiver(dataDir)];
  const product = await startProduct({
    folder: dataDir,
    databaseUrl: postgres.url,
    temporalAddress: temporal.address,
  });
  stops.push(product.stop);
  const hangs = theirs.url.replace('/hooks', '/hangs');
  const noisy = await product.partner('Noisy', kind === 'noisy' ? hangs : theirs.url);
  const measured = await product.partner('Measured', ours.url);

  await creates(events, noisy);
  if (kind === 'quiet') await received(theirs.take, events);
  const warm = await openLoop(warmUp, measured);
  await received(ours.take, warm.length);
  await pause(settleMs);

  const pids = { product: product.pid, temporal: temporal.pid, postgres: postgres.pid };
  const processorTimes = () =>
    Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, processorMs(pid)]));
  const before = processorTimes();
  const made = await openLoop(load, measured);
  const arrivals = await received(ours.take, made.length);
  await pause(settleMs);
  const after = processorTimes();
  const times = roundOf(kind, made, [...arrivals, ...(await ours.take())]);
  const processor = Object.fromEntries(
    Object.keys(pids).map((name) => [name, perCreate(before[name], after[name], made.length)]),
  );
  const round = { ...times, processor };
  say(describe(round));
  say(`       ${await underWay(postgres.url)}`);
  if (!balances(times)) throw new Void('sent, answered and received differ: the figures say nothing');
  return round;
}

const perCreate = (before: number | undefined, after: number | undefined, creates: number) =>
  before === undefined || after === undefined ? undefined : (after - before) / creates;

/** As fast as they are answered, some at once. */
async function creates(count: number, create: () => Promise<string>): Promise<void> {
  let left = count;
  const inTurn = async () => {
    while (left-- > 0) await create();
  };
  await Promise.all(Array.from({ length: createsAtOnce }, inTurn));
}

async function received<Arrival>(take: () => Promise<Arrival[]>, count: number): Promise<Arrival[]> {
  const arrivals: Arrival[] = [];
  for (const deadline = Date.now() + arrivalMsMax; Date.now() < deadline; await pause(100)) {
    arrivals.push(...(await take()));
    if (arrivals.length >= count) break;
  }
  return arrivals;
}

/** What is left of the other's events, so that a noisy run is seen to be one. */
async function underWay(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(`
      select count(*) filter (where d.status in ('pending', 'retrying')) as open,
        count(*) filter (where d.status = 'pending') as pending,
        (select count(*) from delivery_attempts where outcome is null) as sending,
        (select count(*) from delivery_attempts where outcome = 'failed') as failed
      from deliveries d`);
    const { open, pending, sending, failed } = rows[0];
    return `open ${open}, of these never attempted to an end ${pending}; attempts being sent ${sending}, failed ${failed}`;
  } finally {
    await client.end();
  }
}

async function measure(): Promise<void> {
  sayMachine();
  say(`${pairs} pairs, ${events} events of the neighbour, ${load.seconds} s at ${load.rate} a second:`);
  const runs: Record<Kind, Round>[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const order: Kind[] = pair % 2 === 0 ? ['quiet', 'noisy'] : ['noisy', 'quiet'];
    const found: Partial<Record<Kind, Round>> = {};
    for (const kind of order) {
      found[kind] = await runOnce(kind);
      await stopStarted();
    }
    runs.push(found as Record<Kind, Round>);
  }
  sayMachine();
  for (const share of [0.5, 0.9, 0.99])
    for (const what of ['post', 'sendToFirstByte', 'answerToFirstByte'] as const)
      sayRatios(
        `${what} p${share * 100}, noisy / quiet`,
        runs.map(({ quiet, noisy }) => ratio(noisy, quiet, what, share)),
      );
}

await runBench(measure);
