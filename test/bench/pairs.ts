import { parseArgs } from 'node:util';
import { runRound } from './creates.ts';
import { type Checkout, fill, prepareCheckout } from './parts/checkout.ts';
import { pooled, type Round, spread } from './parts/figures.ts';
import { generate, type Load } from './parts/load.ts';
import { type Difference, differenceOf, verdictOf } from './parts/paired.ts';
import { processorMsOf } from './parts/processes.ts';
import { partnerOf } from './parts/product.ts';
import { runBench, say, sayMachine, Void } from './parts/programs.ts';
import { requestsOf } from './parts/requests.ts';
import { type Receiver, type Setting, startReceiver, startSetting } from './parts/setting.ts';

/**
 * Measures processor time for each request of the product from two checkouts, in pairs of rounds:
 * node test/bench/pairs.ts --a DIR --b DIR [--pairs 20] [--what creates,reads,refusals] [--rate 10]
 * With `--rate`, so many creates are sent a second, and their times are compared too. Otherwise ten are always under way.
 * The processes are started anew in each round, since two starts of the same code differ by more than two rounds of one start.
 * A and B take turns to be the first of a pair, so that a slow drift of the machine cancels out. No round is left out. If a request
 * fails, or a create is lost or delivered twice, the run is void (exit code 3).
 */

const { values } = parseArgs({
  options: {
    a: { type: 'string' },
    b: { type: 'string' },
    pairs: { type: 'string', default: '20' },
    what: { type: 'string', default: 'creates,reads' },
    rate: { type: 'string' },
  },
});
const pairs = Number(values.pairs);
const whats = values.what.split(',');

const rowsToRead = 400;
const reads = { get: 6_000, list: 3_000 } as const;
const refusals = 12_000;
const creates = 120;
const rate = values.rate === undefined ? undefined : Number(values.rate);
const loadOf = (count: number): Load =>
  rate === undefined ? { inFlight: 10, count } : { rate, seconds: count / rate };
/** The number of warm-up requests, as a share of the measured requests. During the warm-up code is compiled and caches fill. */
const warmUpShare = 0.5;

type Side = 'a' | 'b';
const roundsOf: Record<Side, Round[]> = { a: [], b: [] };
type Program = { checkout: Checkout; readId: string };
/** Processor milliseconds for each request, by the kind of request and by process. */
type Costs = Record<string, Record<string, number>>;

async function prepare(setting: Setting, receiver: Receiver): Promise<Record<Side, Program>> {
  const side = async (name: Side, namespace: string): Promise<Program> => {
    const root = values[name];
    if (root === undefined) throw new Error(`--${name} is missing: the folder of a checkout`);
    const checkout = await prepareCheckout({ root, name, namespace, setting });
    return { checkout, readId: await fill(checkout, receiver, rowsToRead) };
  };
  return { a: await side('a', 'default'), b: await side('b', otherNamespace) };
}

const otherNamespace = 'other';

async function runOnce(program: Program, setting: Setting, receiver: Receiver): Promise<Costs> {
  const costs: Costs = {};
  if (whats.includes('reads')) Object.assign(costs, await costsOfReads(program, setting));
  if (whats.includes('refusals')) costs.refusal = await costsOfRefusals(program, setting);
  if (whats.includes('creates')) costs.create = await costsOfCreates(program, setting, receiver);
  return costs;
}

async function costsOfReads({ checkout, readId }: Program, { postgres }: Setting): Promise<Costs> {
  const { url, pids, stop } = await checkout.start(['api']);
  const headers = { authorization: `Bearer ${checkout.key}` };
  const target = { headers, statuses: [200], pid: pids.api ?? 0 };
  const targets = {
    get: { ...target, url: `${url}/v1/verifications/${readId}` },
    list: { ...target, url: `${url}/v1/verifications?limit=20` },
  };
  const costs: Costs = {};
  for (const name of ['get', 'list'] as const) {
    const send = (count: number) => requestsOf(targets[name], { connections: 20, count });
    await send(reads[name] * warmUpShare);
    costs[name] = await costOfEach({ api: pids.api ?? 0, postgres: postgres.pid }, reads[name], send);
  }
  await stop();
  return costs;
}

/** Measures answers of 429. Only the first request of each minute is within the limit and gets 200. */
async function costsOfRefusals(
  { checkout }: Program,
  { postgres }: Setting,
): Promise<Record<string, number>> {
  const { url, pids, stop } = await checkout.start(['api']);
  const pid = pids.api ?? 0;
  const headers = { authorization: `Bearer ${checkout.limitedKey}` };
  const target = { url: `${url}/v1/verifications`, headers, statuses: [200, 429], pid };
  const send = (count: number) => requestsOf(target, { connections: 20, count });
  await send(refusals * warmUpShare);
  const cost = await costOfEach({ api: pid, postgres: postgres.pid }, refusals, send);
  await stop();
  return cost;
}

async function costOfEach(
  pids: Record<string, number>,
  count: number,
  work: (count: number) => Promise<unknown>,
): Promise<Record<string, number>> {
  const before = processorMsOf(pids);
  await work(count);
  const after = processorMsOf(pids);
  return Object.fromEntries(
    Object.keys(pids).map((name) => [name, ((after[name] ?? 0) - (before[name] ?? 0)) / count]),
  );
}

async function costsOfCreates(
  { checkout }: Program,
  { postgres, temporal }: Setting,
  receiver: Receiver,
): Promise<Record<string, number>> {
  const { url, pids, stop } = await checkout.start(['api', 'worker']);
  const { create } = await partnerOf(url, checkout.key, []);
  const creator = {
    name: checkout.name,
    endpoints: 1,
    pids: { ...pids, temporal: temporal.pid, postgres: postgres.pid },
    run: (load: Parameters<typeof generate>[0]) => generate(load, create),
  };
  await runRound(creator, receiver, loadOf(creates * warmUpShare));
  const round = await runRound(creator, receiver, loadOf(creates));
  await stop();
  roundsOf[checkout.name as Side].push(round);
  return round.processor;
}

async function measure(): Promise<void> {
  sayMachine();
  const setting = await startSetting('pairs', { namespace: otherNamespace });
  const receiver = await startReceiver(setting);
  const programs = await prepare(setting, receiver);
  const found: Record<Side, Costs[]> = { a: [], b: [] };
  for (let pair = 0; pair < pairs; pair++) {
    const order: Side[] = pair % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
    for (const side of order) found[side].push(await runOnce(programs[side], setting, receiver));
    for (const side of ['a', 'b'] as const)
      say(`Pair ${pair + 1} of ${pairs}, ${side}: ${inWords(found[side].at(-1) ?? {})}`);
  }
  sayMachine();
  say(`\n${tableOf(found).join('\n')}\n`);
  if (rate !== undefined) say(`${timesOf(rate).join('\n')}\n`);
}

const timesOf = (perSecond: number): string[] => [
  `Milliseconds at ${perSecond} creates a second, p50 / p90 / p99 of all rounds`,
  '| | A | B |',
  '| --- | --- | --- |',
  ...(['post', 'firstByte'] as const).map(
    (what) => `| ${what} | ${spread(pooled(roundsOf.a, what))} | ${spread(pooled(roundsOf.b, what))} |`,
  ),
];

const inWords = (costs: Costs): string =>
  Object.entries(costs)
    .map(([what, byProcess]) => {
      const each = Object.entries(byProcess).map(([process, ms]) => `${process} ${ms.toFixed(3)}`);
      return `${what} ${each.join(', ')}`;
    })
    .join(' | ');

function tableOf({ a, b }: Record<Side, Costs[]>): string[] {
  const rows = Object.entries(a[0] ?? {}).flatMap(([what, byProcess]) =>
    [...Object.keys(byProcess), 'all'].map((process) => {
      const of = (made: readonly Costs[]) => made.map((costs) => costOf(costs[what] ?? {}, process));
      return rowOf(`${what}, ${process}`, differenceOf(of(a), of(b)));
    }),
  );
  return [
    `Processor ms for each request, means of ${pairs} pairs; B - A with its 95 % interval`,
    '| | A | B | B - A | in % of A | |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ];
}

/** Adds up all processes for `all`, since a saving in one process may be a cost in another. */
function costOf(byProcess: Record<string, number>, process: string): number {
  const costs = process === 'all' ? Object.values(byProcess) : [byProcess[process] ?? Number.NaN];
  const cost = costs.reduce((sum, ms) => sum + ms, 0);
  if (Number.isNaN(cost)) throw new Void('the processor time of a process is not known');
  return cost;
}

function rowOf(name: string, difference: Difference): string {
  const { a, b, mean, from, to } = difference;
  const interval = (scale: number, digits: number) =>
    `${(mean * scale).toFixed(digits)} (${(from * scale).toFixed(digits)} to ${(to * scale).toFixed(digits)})`;
  return `| ${name} | ${a.toFixed(4)} | ${b.toFixed(4)} | ${interval(1, 4)} | ${interval(100 / a, 1)} | ${verdictOf(difference)} |`;
}

await runBench(measure);
