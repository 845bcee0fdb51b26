import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { request } from 'undici';
import { fillVerifications } from '#test/support/rows/fill.ts';
import { newKey, type Partner, type Product } from './parts/product.ts';
import { say, startChild } from './parts/programs.ts';
import { type Rate, requestsOf, type Target } from './parts/requests.ts';
import type { Setting } from './parts/setting.ts';
import { type Line, medianOf } from './parts/table.ts';

/** The measured kinds of request. `floor` goes to the bare program in read-floor.ts, and all others go to the product. */
export const readNames = [
  'floor',
  'get',
  'list',
  'list, page 1,000',
  'replay',
  '429',
  'agent get',
  'agent tools/list',
] as const;
export type ReadName = (typeof readNames)[number];
export type ReadRound = Record<ReadName, Rate>;

const connections = 20;
const pageLength = 20;
const deepPage = 1_000;

/** Nine tenths of the rows belong to the measured organisation. The rest belong to another organisation, mixed among them. */
export async function fillTable({ store, secrets }: Product, mine: string, rows: number): Promise<void> {
  say(`Filling ${rows.toLocaleString('en')} rows`);
  const { organisationId: other } = await newKey(store, 'Other');
  const steps = 20;
  for (let step = 0; step < steps; step++)
    for (const [orgId, share] of [
      [mine, 0.9],
      [other, 0.1],
    ] as const) {
      // One statement for a million rows would exceed the time limit of a statement.
      for (let left = Math.ceil((rows / steps) * share); left > 0; left -= 5_000)
        await fillVerifications(
          { store, secrets },
          { orgId, environment: 'sandbox', count: Math.min(left, 5_000) },
        );
    }
  await store.transaction(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`analyze`.execute(tx);
  });
}

export async function readTargets(
  { postgres }: Setting,
  { url, pids, store }: Product,
  { key, organisationId }: Partner,
): Promise<Record<ReadName, Target>> {
  const idAt = async (offset: number) => {
    const { rows } = await sql<{ id: string }>`
      select id from verifications where org_id = ${organisationId} and environment = 'sandbox'
      order by created_at desc, id desc offset ${offset} limit 1`.execute(store.db);
    return rows[0]?.id ?? '';
  };
  const [some, deep] = [await idAt(10_000), await idAt((deepPage - 1) * pageLength - 1)];
  const { child, ready: floorPort } = await startChild(new URL('./read-floor.ts', import.meta.url), [
    postgres.url,
    some,
  ]);
  const { key: exhausted } = await newKey(store, 'Bench 1', { rateLimit: 1 });

  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const ours = { headers, statuses: [200], pid: pids.api };
  const get = { ...ours, url: `${url}/v1/verifications/${some}` };
  const call = (method: string, params: object) => ({
    ...ours,
    url: `${url}/mcp`,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const replay = {
    ...ours,
    url: `${url}/v1/verifications`,
    headers: { ...headers, 'idempotency-key': randomUUID() },
    body: '{}',
    statuses: [201],
  };
  await request(replay.url, { ...replay, method: 'POST' }).then(({ body }) => body.dump());
  return {
    floor: { url: `http://127.0.0.1:${floorPort}`, statuses: [200], pid: child.pid ?? 0 },
    get,
    list: { ...ours, url: `${url}/v1/verifications?limit=${pageLength}` },
    'list, page 1,000': {
      ...ours,
      url: `${url}/v1/verifications?limit=${pageLength}&starting_after=${deep}`,
    },
    replay,
    // The key allows one request a minute, so a few answers are 200.
    429: { ...get, headers: { authorization: `Bearer ${exhausted}` }, statuses: [200, 429] },
    'agent get': call('tools/call', { name: 'get_verification', arguments: { verification_id: some } }),
    'agent tools/list': call('tools/list', {}),
  };
}

/** The kinds of request take turns, so that a noisy machine slows all of them. */
export async function runReads(
  targets: Record<ReadName, Target>,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<ReadRound[]> {
  const round = async (load: { connections: number; seconds: number }) => {
    const rates: [ReadName, Rate][] = [];
    for (const name of readNames) rates.push([name, await requestsOf(targets[name], load)]);
    return Object.fromEntries(rates) as ReadRound;
  };
  await round({ connections, seconds: 2 });
  const made: ReadRound[] = [];
  for (let n = 0; n < rounds; n++) {
    const rates = await round({ connections, seconds });
    say(readNames.map((name) => `${name} ${inWords(rates[name])}`).join('   '));
    made.push(rates);
  }
  return made;
}

export const inWords = ({ perSecond, processorMicros }: Rate): string =>
  `${perSecond.toFixed(0)} (${processorMicros.toFixed(0)})`;

export function readLines(made: readonly ReadRound[]): Line[] {
  const line = (name: ReadName, other: ReadName, goal?: Line['goal']): Line => ({
    what: `${name}, requests a second (processor µs)`,
    ours: middle(name),
    beside: `${middle(other)} ${other === 'floor' ? 'bare Koa + pg' : other}`,
    ratio: medianOf(made, (rates) => rates[name].perSecond / rates[other].perSecond),
    ...(goal && { goal }),
  });
  const middle = (name: ReadName) =>
    inWords({
      perSecond: medianOf(made, (rates) => rates[name].perSecond),
      processorMicros: medianOf(made, (rates) => rates[name].processorMicros),
    });
  return [
    line('get', 'floor', { atLeast: 1.2 }),
    line('list', 'floor', { atLeast: 0.6 }),
    line('list, page 1,000', 'list', { atLeast: 0.77 }),
    line('replay', 'get', { atLeast: 0.5 }),
    line('429', 'get', { atLeast: 2 }),
    line('agent get', 'get', { atLeast: 0.7 }),
    line('agent tools/list', 'get'),
  ];
}
