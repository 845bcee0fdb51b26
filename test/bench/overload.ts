import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { curves } from './curves.ts';
import { median, quantile } from './figures.ts';
import { generate, nowMs, openLoop } from './load.ts';
import { type Partner, type Product, startProduct } from './product.ts';
import { runBench, say, stops, Void } from './programs.ts';
import { type Receiver, startReceiver, startSetting } from './setting.ts';
import { machineLine, load as machineLoad } from './table.ts';

/**
 * Offers more creates than the system carries, step by step:
 * node test/bench/overload.ts [--steps 0.5,1,1.5,2,3,4] [--seconds 20] [--report docs/overload.md]
 * The capacity is measured first, by ten senders that each send the next create when the last one was answered. A step offers a multiple
 * of it. Callers do not repeat what was refused. At the end the books must balance: each accepted create was delivered exactly once, a
 * refused one left no row, and one without a known outcome gets it when it is sent again with its key. If not, the exit code is 3.
 */
const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '0.5,1,1.5,2,3,4' },
    seconds: { type: 'string', default: '20' },
    report: { type: 'string' },
  },
});
const steps = values.steps.split(',').map(Number);
const seconds = Number(values.seconds);

/** A caller that waits longer has given up. */
const inTimeMs = 5_000;
const senders = 10;
const warmUp = { inFlight: senders, count: 100 };
const capacityRun = { inFlight: senders, count: 500 };
const arrivalMsMax = 180_000;

type Kind = 'accepted' | 'refused' | 'unknown';
type Sent = { key: string; kind: Kind; id: string | undefined; ms: number };
type Step = { times: number; offered: number; sent: readonly Sent[]; lastArrivalSeconds: number };

const agent = new Agent({ keepAliveTimeout: 60_000 });
stops.push(() => agent.destroy());

async function createOnce(url: string, apiKey: string, key: string): Promise<Pick<Sent, 'kind' | 'id'>> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${apiKey}`,
    'idempotency-key': key,
  };
  try {
    const sent = { method: 'POST', headers, body: '{}', dispatcher: agent } as const;
    const { statusCode, body } = await request(`${url}/v1/verifications`, sent);
    const answer = (await body.json()) as { id?: string; error?: { code: string } };
    if (statusCode === 201) return { kind: 'accepted', id: answer.id };
    return { kind: answer.error?.code === 'overloaded' ? 'refused' : 'unknown', id: undefined };
  } catch {
    return { kind: 'unknown', id: undefined };
  }
}

const offer = ({ url }: Product, partner: Partner, rate: number): Promise<Sent[]> =>
  openLoop({ rate, seconds }, async (scheduledMs) => {
    const key = randomUUID();
    const answer = await createOnce(url, partner.key, key);
    return { key, ...answer, ms: nowMs() - scheduledMs };
  });

/** Who got no answer, or one that says nothing of the outcome, sends the same request again until it has one. */
async function resolved({ url }: Product, partner: Partner, { key }: Sent): Promise<string> {
  for (const until = nowMs() + arrivalMsMax; nowMs() < until; await pause(1_000)) {
    const { id } = await createOnce(url, partner.key, key);
    if (id !== undefined) return id;
  }
  throw new Void('a create has no outcome');
}

type Books = { created: Set<string>; arrivals: Map<string, number> };

/** Resolves when every event of what was created has arrived. */
async function arrivedAll({ take }: Receiver, { created, arrivals }: Books): Promise<void> {
  for (const until = nowMs() + arrivalMsMax; nowMs() < until; await pause(200)) {
    for (const { id } of await take()) arrivals.set(id, (arrivals.get(id) ?? 0) + 1);
    if ([...created].every((id) => arrivals.has(id))) return;
  }
  throw new Void('an event of an accepted create did not arrive');
}

async function runStep(made: Made, books: Books, times: number, capacity: number): Promise<Step> {
  const { product, partner, receiver } = made;
  const sent = await offer(product, partner, times * capacity);
  const endedMs = nowMs();
  for (const { id } of sent) if (id !== undefined) books.created.add(id);
  for (const one of sent)
    if (one.kind === 'unknown') books.created.add(await resolved(product, partner, one));
  await arrivedAll(receiver, books);
  const step = { times, offered: times * capacity, sent, lastArrivalSeconds: (nowMs() - endedMs) / 1_000 };
  say(lineOf(step));
  await pause(2_000);
  return step;
}

const timesOf = (step: Step, kind: Kind): number[] =>
  step.sent.flatMap((one) => (one.kind === kind ? [one.ms] : []));
const goodput = (step: Step): number =>
  timesOf(step, 'accepted').filter((ms) => ms <= inTimeMs).length / seconds;

/** The median and the p99, or nothing. */
const shown = (times: readonly number[]): string =>
  times.length === 0 ? '' : `${median(times).toFixed(0)} / ${quantile(times, 0.99).toFixed(0)}`;

const lineOf = (step: Step): string => {
  const [accepted, refused] = [timesOf(step, 'accepted'), timesOf(step, 'refused')];
  const figures = [
    `${step.times} × (${step.offered.toFixed(0)})`,
    step.sent.length,
    accepted.length,
    goodput(step).toFixed(1),
    shown(accepted),
    refused.length,
    shown(refused),
    timesOf(step, 'unknown').length,
    step.lastArrivalSeconds.toFixed(1),
  ];
  return `| ${figures.join(' | ')} |`;
};

/** Nothing of a refused create is in the database, and nothing of an accepted one is missing or twice. */
async function balance({ product, partner }: Made, { created, arrivals }: Books): Promise<string> {
  const { db } = product.store;
  const count = async (table: 'verifications' | 'requests'): Promise<number> => {
    const { n } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .where('orgId', '=', partner.organisationId)
      .executeTakeFirstOrThrow();
    return Number(n);
  };
  const [rows, claims] = [await count('verifications'), await count('requests')];
  const twice = [...arrivals.values()].filter((times) => times > 1).length;
  const strange = [...arrivals.keys()].filter((id) => !created.has(id)).length;
  const line = `${created.size} created = ${rows} rows = ${claims} claims = ${arrivals.size} delivered; ${twice} twice, ${strange} that nobody was told of`;
  say(line);
  if (rows !== created.size || claims !== created.size || twice + strange > 0)
    throw new Void('the books do not balance');
  return line;
}

const reportOf = (
  capacity: number,
  made: readonly Step[],
  books: string,
  machine: string,
): string => `# Beyond the capacity

Creates with one delivery each, ${seconds} s a step, no caller repeats what was refused. The capacity, measured first with ${senders} callers in turn, was
${capacity.toFixed(1)} creates a second. A create counts as in time if it was answered with 201 within ${inTimeMs / 1_000} s.

${machine}

| offered (a second) | sent | 201 | in time, a second | their p50 / p99, ms | refused | their p50 / p99, ms | outcome unknown | seconds from the last answer to the last event |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${made.map(lineOf).join('\n')}

![Creates a second](images/overload-rate.svg)

![Milliseconds](images/overload-time.svg)

The books: ${books}. So what was accepted was delivered, and what was refused never began. How the limit is found:
[admission](choices/admission.md).
`;

async function writeReport(file: string, text: string, made: readonly Step[]): Promise<void> {
  const images = join(dirname(file), 'images');
  await mkdir(images, { recursive: true });
  const ending = `${made.at(-1)?.offered.toFixed(0)} offered a second`;
  const draw = (name: string, title: string, valuesOf: (step: Step) => Record<string, number>) =>
    writeFile(
      join(images, name),
      curves({ title, ending, samples: made.map((step) => ({ at: step.offered, values: valuesOf(step) })) }),
    );
  await draw('overload-rate.svg', 'Creates a second', (step) => ({
    'in time': goodput(step),
    refused: timesOf(step, 'refused').length / seconds,
  }));
  await draw('overload-time.svg', 'Milliseconds until the answer', (step) => ({
    '201, p50': median(timesOf(step, 'accepted')),
    '201, p99': quantile(timesOf(step, 'accepted'), 0.99),
    'refused, p99': quantile([...timesOf(step, 'refused'), 0], 0.99),
  }));
  await writeFile(file, text);
}

type Made = { product: Product; partner: Partner; receiver: Receiver };

async function measure(): Promise<void> {
  const before = machineLoad();
  const setting = await startSetting('overload');
  const receiver = await startReceiver(setting);
  const product = await startProduct(setting);
  const partner = await product.partner('Busy', [receiver.url('/hooks')]);
  const made: Made = { product, partner, receiver };
  const books: Books = { created: new Set(), arrivals: new Map() };
  for (const { id } of await generate(warmUp, partner.create)) if (id !== undefined) books.created.add(id);
  const startMs = nowMs();
  for (const { id } of await generate(capacityRun, partner.create))
    if (id !== undefined) books.created.add(id);
  const capacity = capacityRun.count / ((nowMs() - startMs) / 1_000);
  say(`capacity ${capacity.toFixed(1)} creates a second`);
  await arrivedAll(receiver, books);
  const run: Step[] = [];
  for (const times of steps) run.push(await runStep(made, books, times, capacity));
  const line = await balance(made, books);
  const text = reportOf(capacity, run, line, machineLine(before, 'node test/bench/overload.ts'));
  if (values.report !== undefined) await writeReport(values.report, text, run);
}

await runBench(measure);
