import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Store } from '#store/database/connection.ts';
import { type Creator, runRound } from './creates.ts';
import { median, pooled, quantile, type Round, spread } from './parts/figures.ts';
import { generate } from './parts/load.ts';
import { memoryMbOf } from './parts/processes.ts';
import { type Partner, startProduct } from './parts/product.ts';
import { runBench, say, sayMachine } from './parts/programs.ts';
import { startReceiver, startSetting } from './parts/setting.ts';
import { machineLine, load as machineLoad } from './parts/table.ts';

/**
 * Measures how the sweep brings back deliveries whose workflows were lost, and what that does to the creates of another
 * organisation: node test/bench/sweep.ts [--lost 50000] [--rate 5] [--sweeping 8] [--resting 3]
 * All deliveries are lost at once. Creates are sent at a fixed rate until each delivery came back. Rounds of 30 s take turns, so that a
 * noisy machine affects both kinds: `sweeping` of them while the sweep runs, then `resting` while it is held up. Exit code 3: a create
 * was lost or delivered twice, so the figures say nothing.
 */

const { values } = parseArgs({
  options: {
    lost: { type: 'string', default: '50000' },
    rate: { type: 'string', default: '5' },
    sweeping: { type: 'string', default: '8' },
    resting: { type: 'string', default: '3' },
  },
});
const lost = Number(values.lost);
const rate = Number(values.rate);
const turns = { sweeping: Number(values.sweeping), resting: Number(values.resting) };

const roundSeconds = 30;
const warmUp = { rate: 10, seconds: 20 };
const insertAtOnce = 5_000;
/** The leader renews its lease every ten seconds. A start that it has begun takes five at most. */
const noticeMs = 16_000;

/** Takes the lease of the sweep, so that no worker sweeps. */
const holdSweep = ({ db }: Store) =>
  sql`
    insert into leases (name, holder, expires_at) values ('sweep', gen_random_uuid(), now() + interval '1 day')
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at`.execute(db);
const letSweep = ({ db }: Store) => sql`delete from leases where name = 'sweep'`.execute(db);

/** Deliveries that have been due for ten minutes, and that no workflow attempts. */
async function loseDeliveries({ db }: Store, partner: Partner & { organisationId: string }): Promise<void> {
  const [endpointId] = partner.endpoints;
  for (let made = 0; made < lost; made += insertAtOnce)
    await sql`
      with made as (
        insert into events (id, org_id, environment, type, body)
        select 'evt_' || gen_random_uuid(), ${partner.organisationId}, 'sandbox', 'verification.completed',
          convert_to('{"data":{"verification_id":"' || gen_random_uuid() || '"}}', 'UTF8')
        from generate_series(1, ${Math.min(insertAtOnce, lost - made)}::int) returning id
      )
      insert into deliveries (id, org_id, environment, event_id, endpoint_id, attempts_allowed, next_attempt_at)
      select gen_random_uuid(), ${partner.organisationId}, 'sandbox', id, ${endpointId}, 6, now() - interval '10 minutes'
      from made`.execute(db);
  await sql`analyze events, deliveries`.execute(db);
}

async function countOpen({ db }: Store, orgId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from deliveries
    where org_id = ${orgId} and status in ('pending', 'retrying')`.execute(db);
  return rows[0]?.open ?? Number.NaN;
}

async function measure(): Promise<void> {
  sayMachine();
  const loadBefore = machineLoad();
  const setting = await startSetting('sweep');
  const [theirs, ours] = [await startReceiver(setting), await startReceiver(setting)];
  const product = await startProduct(setting);
  const losing = await product.partner('Losing', [theirs.url('/hooks')]);
  const measured = await product.partner('Measured', [ours.url('/hooks')]);
  const creator: Creator = {
    name: 'ours',
    endpoints: 1,
    pids: { ...product.pids, temporal: setting.temporal.pid, postgres: setting.postgres.pid },
    run: (load) => generate(load, measured.create),
  };
  const memory = () =>
    Object.fromEntries(Object.entries(creator.pids).map(([name, pid]) => [name, memoryMbOf(pid)]));

  await runRound(creator, ours, warmUp);
  await holdSweep(product.store);
  await pause(noticeMs);
  await loseDeliveries(product.store, losing);

  const rounds: Record<keyof typeof turns, Round[]> = { resting: [], sweeping: [] };
  const memoryBefore = memory();
  const memoryMax = { ...memoryBefore };
  let sweptSeconds = 0;
  let sweptInRounds = 0;
  const countLost = () => countOpen(product.store, losing.organisationId);
  const takeRounds = async (kind: keyof typeof turns) => {
    for (let n = 0; n < turns[kind]; n++) {
      const before = await countLost();
      if (kind === 'sweeping' && before === 0) return;
      rounds[kind].push(await runRound({ ...creator, name: kind }, ours, { rate, seconds: roundSeconds }));
      for (const [name, mb] of Object.entries(memory())) memoryMax[name] = Math.max(memoryMax[name] ?? 0, mb);
      if (kind === 'sweeping') sweptInRounds += before - (await countLost());
    }
  };
  for (let open = lost; open > 0; open = await countLost()) {
    say(`${open} deliveries are lost; ${listed(memory())} MB`);
    await takeRounds('resting');
    const beganMs = performance.now();
    await letSweep(product.store);
    await takeRounds('sweeping');
    await holdSweep(product.store);
    await pause(noticeMs);
    sweptSeconds += (performance.now() - beganMs) / 1_000;
  }
  await takeRounds('resting');

  const arrived = (await theirs.take()).length;
  const perSecond = lost / sweptSeconds;
  say(
    `${lost} deliveries came back in ${sweptSeconds.toFixed(0)} s of sweep: ${perSecond.toFixed(1)} a second`,
  );
  say(
    `attempts that arrived: ${arrived}; a million would take ${(1_000_000 / perSecond / 3_600).toFixed(1)} h`,
  );
  for (const what of ['post', 'firstByte'] as const) {
    const [usual, meanwhile] = [pooled(rounds.resting, what), pooled(rounds.sweeping, what)];
    const ratio = quantile(meanwhile, 0.99) / quantile(usual, 0.99);
    say(
      `${what}, p50 / p90 / p99 ms: usual ${spread(usual)}; meanwhile ${spread(meanwhile)}; p99 ${ratio.toFixed(2)} of the usual`,
    );
  }
  const perDelivery =
    costOf(rounds.sweeping) - median(rounds.resting.map(costOfCreate)) * sentIn(rounds.sweeping);
  say(`processor ms of a delivery that comes back: ${(perDelivery / sweptInRounds).toFixed(1)}`);
  say(`memory, MB: before ${listed(memoryBefore)}; at most ${listed(memoryMax)}`);
  say(machineLine(loadBefore, 'node test/bench/sweep.ts'));
}

const costOfCreate = ({ processor }: Round) => Object.values(processor).reduce((sum, ms) => sum + ms, 0);
const costOf = (made: readonly Round[]) =>
  made.reduce((sum, round) => sum + costOfCreate(round) * round.sent, 0);
const sentIn = (made: readonly Round[]) => made.reduce((sum, { sent }) => sum + sent, 0);

const listed = (figures: Record<string, number>) =>
  Object.entries(figures)
    .map(([name, mb]) => `${name} ${mb.toFixed(0)}`)
    .join(', ');

await runBench(measure);
