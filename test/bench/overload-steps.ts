import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { median, quantile } from './parts/figures.ts';
import { generate, nowMs, openLoop } from './parts/load.ts';
import type { Partner, Product } from './parts/product.ts';
import { say, stops, Void } from './parts/programs.ts';
import type { Receiver } from './parts/setting.ts';

/** Offers more creates than the system carries, step by step, and keeps the books. */

/** A caller that waits longer has given up. */
export const inTimeMs = 5_000;
export const senders = 10;
const warmUp = { inFlight: senders, count: 100 };
const capacityRun = { inFlight: senders, count: 500 };
const arrivalMsMax = 180_000;

export type Kind = 'accepted' | 'refused' | 'unknown';
type Sent = { key: string; kind: Kind; id: string | undefined; ms: number };
export type Step = {
  times: number;
  offered: number;
  seconds: number;
  sent: readonly Sent[];
  lastArrivalSeconds: number;
};

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

const offer = (
  { url }: Product,
  partner: Partner,
  load: { rate: number; seconds: number },
): Promise<Sent[]> =>
  openLoop(load, async (scheduledMs) => {
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

async function runStep(
  made: Made,
  books: Books,
  load: { times: number; offered: number; seconds: number },
): Promise<Step> {
  const { product, partner, receiver } = made;
  const { offered: rate, seconds } = load;
  const sent = await offer(product, partner, { rate, seconds });
  const endedMs = nowMs();
  for (const { id } of sent) if (id !== undefined) books.created.add(id);
  for (const one of sent)
    if (one.kind === 'unknown') books.created.add(await resolved(product, partner, one));
  await arrivedAll(receiver, books);
  const step = { ...load, sent, lastArrivalSeconds: (nowMs() - endedMs) / 1_000 };
  say(lineOf(step));
  await pause(2_000);
  return step;
}

export const timesOf = (step: Step, kind: Kind): number[] =>
  step.sent.flatMap((one) => (one.kind === kind ? [one.ms] : []));
/** The creates of a second that were answered with 201 in time. */
export const goodput = (step: Step): number =>
  timesOf(step, 'accepted').filter((ms) => ms <= inTimeMs).length / step.seconds;

/** The median and the p99, or nothing. */
export const shown = (times: readonly number[]): string =>
  times.length === 0 ? '' : `${median(times).toFixed(0)} / ${quantile(times, 0.99).toFixed(0)}`;

export const lineOf = (step: Step): string => {
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

type Made = { product: Product; partner: Partner; receiver: Receiver };

export type Overloaded = { capacity: number; steps: Step[]; books: string };

/** Measures the capacity, offers multiples of it, and balances the books. */
export async function overload(
  product: Product,
  receiver: Receiver,
  { times, seconds }: { times: readonly number[]; seconds: number },
): Promise<Overloaded> {
  const partner = await product.partner('Busy', [receiver.url('/hooks')]);
  const made: Made = { product, partner, receiver };
  const books: Books = { created: new Set(), arrivals: new Map() };
  await receiver.take();
  for (const { id } of await generate(warmUp, partner.create)) if (id !== undefined) books.created.add(id);
  const startMs = nowMs();
  for (const { id } of await generate(capacityRun, partner.create))
    if (id !== undefined) books.created.add(id);
  const capacity = capacityRun.count / ((nowMs() - startMs) / 1_000);
  say(`capacity ${capacity.toFixed(1)} creates a second`);
  await arrivedAll(receiver, books);
  const steps: Step[] = [];
  for (const each of times)
    steps.push(await runStep(made, books, { times: each, offered: each * capacity, seconds }));
  return { capacity, steps, books: await balance(made, books) };
}
