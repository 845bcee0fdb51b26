import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import type { Store } from '#store/database/connection.ts';
import { type Creator, runRound } from './creates.ts';
import { quantile, type Round } from './parts/figures.ts';
import { generate } from './parts/load.ts';
import { processorMsOf } from './parts/processes.ts';
import { startProduct } from './parts/product.ts';
import { runBench, say, sayMachine, sayRatios, stopStarted } from './parts/programs.ts';
import { startReceiver, startSetting } from './parts/setting.ts';

/**
 * Measures how a receiver that never answers slows the events of another organisation:
 * node test/bench/neighbour.ts [--events 2000] [--waiting 0] [--rate 10] [--seconds 20] [--pairs 3]
 * In each run one organisation first creates its events. In a noisy run its receiver never answers. In a quiet run its receiver
 * answers at once, and all is delivered before the measurement begins. With `--waiting`, a noisy run has so many more deliveries in the queue of
 * that receiver, which are written into the database, and says what they cost while nothing else happens. Every run has its own servers. Exit code 3: an event of the
 * measured organisation was lost or came twice, so the figures say nothing.
 */

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '2000' },
    waiting: { type: 'string', default: '0' },
    rate: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '20' },
    pairs: { type: 'string', default: '3' },
  },
});
const events = Number(values.events);
const waiting = Number(values.waiting);
const load = { rate: Number(values.rate), seconds: Number(values.seconds) };
const pairs = Number(values.pairs);

const createsAtOnce = 16;
const warmUp = { rate: 10, seconds: 3 };
const arrivalMsMax = 60_000;
const settleMs = 2_000;

type Kind = 'quiet' | 'noisy';

async function runOnce(kind: Kind): Promise<Round> {
  const setting = await startSetting('neighbour');
  const [theirs, ours] = [await startReceiver(setting), await startReceiver(setting)];
  const product = await startProduct(setting);
  const noisy = await product.partner('Noisy', [theirs.url(kind === 'noisy' ? '/hangs' : '/hooks')]);
  const measured = await product.partner('Measured', [ours.url('/hooks')]);

  await generate({ inFlight: createsAtOnce, count: events }, noisy.create);
  if (kind === 'quiet') await received(theirs.take, events);
  const creator: Creator = {
    name: kind,
    endpoints: 1,
    pids: { ...product.pids, temporal: setting.temporal.pid, postgres: setting.postgres.pid },
    run: (load) => generate(load, measured.create),
  };
  if (kind === 'noisy' && waiting > 0) {
    await fillQueue(setting.postgres.url);
    say(`       ${waiting} more in the queue`);
  }
  await runRound(creator, ours, warmUp);
  await pause(settleMs);
  if (waiting > 0) say(`       alone, percent of a core: ${await costAlone(creator.pids)}`);
  const round = await runRound(creator, ours, load);
  say(`       ${await underWay(product.store)}`);
  return round;
}

/** More deliveries of the hanging receiver, as a recording leaves them that finds no turn. */
async function fillQueue(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('set session_replication_role = replica');
  await client.query(
    `with made as (
       insert into events (id, org_id, environment, type, body, created_at)
       select 'evt_' || n, org_id, 'sandbox', 'verification.completed', '{"data":{"verification_id":"none"}}', now()
       from webhook_endpoints, generate_series(1, $1) as n where url like '%/hangs' returning id, org_id, created_at)
     insert into deliveries (id, org_id, environment, event_id, endpoint_id, status, attempts_allowed, queued_at, next_attempt_at, created_at)
     select gen_random_uuid(), made.org_id, 'sandbox', made.id, webhook_endpoints.id, 'pending', 6, now(), '9000-01-01', made.created_at
     from made, webhook_endpoints where url like '%/hangs'`,
    [waiting],
  );
  await client.query('vacuum analyze');
  await client.end();
}

const aloneMs = 20_000;

/** What all parts cost while nobody creates anything. */
async function costAlone(pids: Record<string, number>): Promise<string> {
  const before = processorMsOf(pids);
  await pause(aloneMs);
  const after = processorMsOf(pids);
  const shares = Object.keys(pids).map((name) => {
    const percent = (((after[name] ?? 0) - (before[name] ?? 0)) / aloneMs) * 100;
    return `${name} ${percent.toFixed(2)}`;
  });
  return shares.join(', ');
}

async function received<Arrival>(take: () => Promise<Arrival[]>, count: number): Promise<void> {
  let arrived = 0;
  for (const deadline = Date.now() + arrivalMsMax; Date.now() < deadline; await pause(100)) {
    arrived += (await take()).length;
    if (arrived >= count) return;
  }
}

/** Counts the deliveries and attempts of all organisations. The open ones show that a noisy run was noisy. */
async function underWay({ db }: Store): Promise<string> {
  const { rows } = await sql<Record<'open' | 'pending' | 'sending' | 'failed', string>>`
    select count(*) filter (where d.status in ('pending', 'retrying')) as open,
      count(*) filter (where d.status = 'pending') as pending,
      (select count(*) from delivery_attempts where outcome is null) as sending,
      (select count(*) from delivery_attempts where outcome = 'failed') as failed
    from deliveries d`.execute(db);
  const { open, pending, sending, failed } = rows[0] ?? {};
  return `open ${open}, of these never attempted to an end ${pending}; attempts being sent ${sending}, failed ${failed}`;
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
    for (const what of ['post', 'firstByte'] as const)
      sayRatios(
        `${what} p${share * 100}, noisy / quiet`,
        runs.map(({ quiet, noisy }) => quantile(noisy[what], share) / quantile(quiet[what], share)),
      );
}

await runBench(measure);
