import { parseArgs } from 'node:util';
import { capacityTables, type OfOneCreate } from './capacity.ts';
import { type Creator, creatorOf, runPairs, runRound, startFloor } from './creates.ts';
import { benchIdle } from './idle.ts';
import { benchBytes, benchMemory } from './left-behind.ts';
import { goodput, overload, shown, timesOf } from './overload-steps.ts';
import { type Pair, pooled, processorOf, quantile, type Round, ratioOf, spread } from './parts/figures.ts';
import { generate, type Load } from './parts/load.ts';
import { type Product, startProduct } from './parts/product.ts';
import { runBench, say, sayMachine } from './parts/programs.ts';
import { type Receiver, type Setting, startReceiver, startSetting } from './parts/setting.ts';
import { type Line, load, machineLine, medianOf, report, tableOf } from './parts/table.ts';
import { fillTable, readLines, readTargets, runReads } from './reads.ts';

/**
 * Compares the cost of the product with the cost of bare programs, in one run on the same servers:
 * node test/bench/run.ts [--pairs 3] [--rounds 5] [--rows 1000000] [--creates 10000] [--only create,overload,memory,rows,read,idle] [--report FILE]
 * [--capacity FILE]
 * The table replaces the text between the marks of the report, and what follows from it that of the page about capacity. Exit code 3: a create was lost or delivered twice, so the figures
 * say nothing.
 */

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    rows: { type: 'string', default: '1000000' },
    creates: { type: 'string', default: '10000' },
    only: { type: 'string', default: 'create,overload,memory,rows,read,idle' },
    report: { type: 'string' },
    capacity: { type: 'string' },
  },
});
const pairs = Number(values.pairs);
const rounds = Number(values.rounds);
const rows = Number(values.rows);
const createsInAll = Number(values.creates);
const parts = values.only.split(',');
if (values.capacity !== undefined && !['create', 'memory'].every((part) => parts.includes(part)))
  throw new Error('--capacity needs the parts create and memory');

const inFlight = 10;
const warmUp: Load = { inFlight, count: 150 };
const asFastAsItGoes: Load = { inFlight, count: 300 };
const openLoops: Load[] = [
  { rate: 10, seconds: 12 },
  { rate: 20, seconds: 20 },
  { rate: 40, seconds: 8 },
];

type Both = { floor: Creator; ours: Creator };
type Bench = {
  setting: Setting;
  receiver: Receiver;
  product: Product;
  creators: Record<0 | 1 | 3, Both>;
};

async function setUp(): Promise<Bench> {
  const setting = await startSetting('run');
  const receiver = await startReceiver(setting);
  const floor = await startFloor(setting, receiver);
  const product = await startProduct(setting);
  const both = async (endpoints: number): Promise<Both> => ({
    floor: floor(endpoints),
    ours: await creatorOf(setting, product, receiver, endpoints),
  });
  const creators = { 0: await both(0), 1: await both(1), 3: await both(3) };
  return { setting, receiver, product, creators };
}

const perSecond = (round: Round) => round.perSecond;
const at = (what: 'post' | 'firstByte', share: number) => (round: Round) => quantile(round[what], share);
const cost = ({ processor }: Round) => Object.values(processor).reduce((sum, ms) => sum + ms, 0);
const of = (made: readonly Pair[], program: keyof Pair) => made.map((pair) => pair[program]);

async function benchCreates({ receiver, creators }: Bench): Promise<Line[]> {
  for (const endpoints of [1, 0, 3] as const)
    await runPairs(creators[endpoints], receiver, { load: warmUp, pairs: 1 });
  const lines: Line[] = [];
  for (const endpoints of [0, 1, 3] as const) {
    say(`As fast as ${inFlight} at once go, ${endpoints} endpoints:`);
    const made = await runPairs(creators[endpoints], receiver, { load: asFastAsItGoes, pairs });
    lines.push(
      ...rateLines(made, `${endpoints} endpoint${endpoints === 1 ? '' : 's'}, ${inFlight} in flight`),
    );
    if (endpoints === 1) alone = of(made, 'ours');
  }
  for (const load of openLoops) {
    say(`Open loop, ${'rate' in load ? load.rate : 0} a second, 1 endpoint:`);
    lines.push(...latencyLines(await runPairs(creators[1], receiver, { load, pairs }), load));
  }
  return lines;
}

/** Rounds with one endpoint. What a create costs each part is taken from them. */
let alone: Round[] = [];

function rateLines(made: readonly Pair[], what: string): Line[] {
  const [ours, floor] = [of(made, 'ours'), of(made, 'floor')];
  const isGoal = what.startsWith('1 ');
  return [
    {
      what: `creates a second, ${what}`,
      ours: medianOf(ours, perSecond).toFixed(1),
      beside: `${medianOf(floor, perSecond).toFixed(1)} bare program`,
      ratio: ratioOf(made, perSecond),
      ...(isGoal && { goal: { atLeast: 1.35 } }),
    },
    {
      what: `processor ms of a create, ${what}`,
      ours: processorOf({ processor: mediansOf(ours) }),
      beside: processorOf({ processor: mediansOf(floor) }),
      ratio: ratioOf(made, cost),
      ...(isGoal && { goal: { atMost: 0.7 } }),
    },
  ];
}

const mediansOf = (made: readonly Round[]): Record<string, number> =>
  Object.fromEntries(
    Object.keys(made[0]?.processor ?? {}).map((name) => [
      name,
      medianOf(made, ({ processor }) => processor[name] ?? Number.NaN),
    ]),
  );

function latencyLines(made: readonly Pair[], load: Load): Line[] {
  const rate = 'rate' in load ? load.rate : 0;
  return (['post', 'firstByte'] as const).flatMap((timed) => {
    const name = timed === 'post' ? 'POST' : 'create to first byte at the receiver';
    const goals = rate === 20 ? { 0.5: timed === 'post' ? 0.9 : 0.6 } : {};
    return [0.5, 0.9, 0.99].map((share): Line => {
      const goal = (goals as Record<number, number>)[share];
      return {
        what: `${name} p${share * 100}, ms, ${rate} a second`,
        ours: medianOf(of(made, 'ours'), at(timed, share)).toFixed(1),
        beside: medianOf(of(made, 'floor'), at(timed, share)).toFixed(1),
        ratio: ratioOf(made, at(timed, share)),
        ...(goal !== undefined && { goal: { atMost: goal } }),
      };
    });
  });
}

/** Measures creates of live, which stay pending, beside the bare program, whose creates have one delivery. */
async function benchLive({ setting, receiver, product, creators }: Bench): Promise<Line[]> {
  say('Live creates, 20 a second:');
  const partner = await product.partner('Bench live', [], 'live');
  const ours: Creator = {
    name: 'ours',
    endpoints: 0,
    pids: { ...product.pids, temporal: setting.temporal.pid, postgres: setting.postgres.pid },
    run: (load) => generate(load, partner.create),
  };
  const made = await runPairs({ floor: creators[1].floor, ours }, receiver, {
    ...{ load: { rate: 20, seconds: 20 }, pairs },
  });
  return ([0.5, 0.99] as const).flatMap((share): Line[] => {
    const [figure, floor] = [of(made, 'ours'), of(made, 'floor')].map((rounds) =>
      medianOf(rounds, at('post', share)),
    ) as [number, number];
    const what = `live create, POST p${share * 100}, ms, 20 a second`;
    return [
      {
        ...{ what, ours: figure.toFixed(1), beside: `${floor.toFixed(1)} bare program` },
        ...{ ratio: ratioOf(made, at('post', share)), goal: { atMost: 0.4 } },
      },
      {
        ...{ what: `${what}, on a quiet machine`, ours: figure.toFixed(1), beside: '' },
        ...{ figure, goal: { atMost: share === 0.5 ? 15 : 40 } },
      },
    ];
  });
}

const overloadTimes = 3;

async function benchOverload({ product, receiver }: Bench): Promise<Line[]> {
  say(`Overload, ${overloadTimes} times the capacity:`);
  const { capacity, steps } = await overload(product, receiver, { times: [overloadTimes], seconds: 20 });
  const [step] = steps;
  if (step === undefined) return [];
  const refused = timesOf(step, 'refused');
  return [
    {
      what: `answers with 201 in time at ${overloadTimes} times the capacity, a second`,
      ...{ ours: goodput(step).toFixed(1), beside: `${capacity.toFixed(1)} the capacity` },
      ...{ ratio: goodput(step) / capacity, goal: { atLeast: 0.9 } },
    },
    {
      what: 'a refusal then, p50 / p99 ms',
      ...{ ours: shown(refused), beside: `${refused.length} refused` },
      ...{ figure: quantile(refused, 0.99), goal: { atMost: 50 } },
    },
  ];
}

/** Measures `complete` on pending verifications, at 20 a second. That is the rate for which the creates have goals. */
async function benchComplete({ receiver, product, setting }: Bench): Promise<Line[]> {
  say('Complete, 20 a second, 1 endpoint:');
  const partner = await product.partner('Bench complete', [receiver.url('/hooks/0')]);
  const made: Round[] = [];
  for (let round = 0; round < pairs; round++) {
    const ids: string[] = [];
    for (let n = 0; n < 200; n++) ids.push(await partner.createPending());
    const next = ids.values();
    const completer: Creator = {
      name: 'ours',
      endpoints: 1,
      pids: { ...product.pids, temporal: setting.temporal.pid, postgres: setting.postgres.pid },
      run: (load) => generate(load, () => partner.complete(next.next().value ?? '')),
    };
    made.push(await runRound(completer, receiver, { rate: 20, seconds: 10 }));
  }
  return [
    {
      what: 'complete, p50 / p90 / p99 ms, 20 a second',
      ours: spread(pooled(made, 'post')),
      beside: `to first byte ${spread(pooled(made, 'firstByte'))}; processor ms ${processorOf({ processor: mediansOf(made) })}`,
    },
  ];
}

async function benchAmongRows(bench: Bench): Promise<Line[]> {
  const { setting, product } = bench;
  const partner = await product.partner('Bench 1', []);
  const isOfCreates = parts.includes('rows');
  const before = isOfCreates ? await createsOf(bench, 'before the rows') : [];
  await fillTable(product, partner.organisationId, rows);
  const among = `among ${rows.toLocaleString('en')} rows`;
  const lines = isOfCreates ? createsAmongLines(before, await createsOf(bench, among), among) : [];
  if (!parts.includes('read')) return lines;
  say(`Reads ${among}, requests a second (microseconds of processor for each):`);
  const made = await runReads(await readTargets(setting, product, partner), { rounds, seconds: 4 });
  return [...lines, ...readLines(made)];
}

/** The same processes before and after: what a process has done already costs more than the rows do. */
async function createsOf({ receiver, creators }: Bench, when: string): Promise<Round[]> {
  say(`As fast as ${inFlight} at once go, 1 endpoint, ${when}:`);
  const made: Round[] = [];
  await runRound(creators[1].ours, receiver, warmUp);
  for (let round = 0; round < pairs; round++)
    made.push(await runRound(creators[1].ours, receiver, asFastAsItGoes));
  return made;
}

const createsAmongLines = (before: Round[], after: Round[], among: string): Line[] => [
  {
    what: `processor ms of a create, ${among}`,
    ours: processorOf({ processor: mediansOf(after) }),
    beside: `${processorOf({ processor: mediansOf(before) })} before`,
    ratio: medianOf(after, cost) / medianOf(before, cost),
    goal: { atMost: 1.1 },
  },
];

await runBench(async () => {
  sayMachine();
  const loadBefore = load();
  const bench = await setUp();
  const lines: Line[] = [];
  const one: OfOneCreate = { processor: {}, rowBytes: Number.NaN, historyBytes: Number.NaN };
  if (parts.includes('create')) {
    lines.push(...(await benchCreates(bench)));
    one.processor = mediansOf(alone);
    lines.push(...(await benchLive(bench)));
    lines.push(...(await benchComplete(bench)));
    const left = await benchBytes(bench.setting, bench.product);
    lines.push(...left.lines);
    one.historyBytes = left.historyBytes;
  }
  if (parts.includes('overload')) lines.push(...(await benchOverload(bench)));
  if (parts.includes('memory')) {
    const { product, receiver, creators } = bench;
    const left = await benchMemory(product, { creator: creators[1].ours, receiver, createsInAll });
    lines.push(...left.lines);
    one.rowBytes = left.rowBytes;
  }
  if (parts.includes('rows') || parts.includes('read')) lines.push(...(await benchAmongRows(bench)));
  if (parts.includes('idle')) lines.push(...(await benchIdle()));
  const table = tableOf(lines);
  say(`\n${table}\n`);
  const machine = machineLine(loadBefore, 'npm run bench --');
  say(machine);
  if (values.report) await report(values.report, table, machine);
  if (values.capacity) await report(values.capacity, capacityTables(one), machine);
});
