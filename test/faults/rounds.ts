import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Environment, environments, grants } from '#contract/enums.ts';
import { openStore } from '#store/database/connection.ts';
import { inParallel } from '#test/support/in-parallel.ts';
import { makeKey } from '#test/support/rows/keys.ts';
import { type ClientLine, createClient, type FaultClient } from './client.ts';
import { diceOf } from './dice.ts';
import { type Evidence, isForgotten, type Received, type Round } from './evidence.ts';
import { type Item, itemsOf } from './items.ts';
import { faultOf } from './kinds/faults.ts';
import { type Machine, startMachine } from './machine/machine.ts';
import { queryOnce, readLines, until } from './machine/tools.ts';
import { judge, type Verdict } from './oracle.ts';
import { countRunning, readRunning, readStored } from './stored.ts';

export type Plan = {
  /** One round for each seed. The same seed is always the same fault with the same decisions and the same requests. */
  seeds: readonly number[];
  /** No further round starts after this moment (epoch milliseconds). */
  untilMs: number;
  itemsPerRound: number;
  /** How many milliseconds deliveries may take after the last round. */
  settleMs: number;
  /** How many milliseconds a client repeats a request that gets no answer. */
  patienceMs?: number;
  say: (line: string) => void;
  /** Called with the folder of all files that the parts wrote, before the folder is deleted. */
  keepLogs?: (folder: string) => void;
};

export type Outcome = Verdict & { evidence: Evidence; seconds: number };

/** Runs the rounds on one machine. The verdict comes at the end, after every delivery had time to finish. */
export async function runRounds(plan: Plan): Promise<Outcome> {
  const startedAt = Date.now();
  const machine = await startMachine();
  const stopAtSignal = () => void machine.stop().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopAtSignal);
  try {
    const { client, secrets } = await becomePartner(machine, plan.patienceMs);
    const rounds = await strikeAll(plan, machine, client);
    const items = rounds.flatMap(({ seed }) => itemsOf(seed, plan.itemsPerRound));
    plan.say('All rounds done: waiting until everything is settled');
    await repeatForgotten(machine, client, rounds, items);
    const needsRepair = rounds.some(({ seed }) => faultOf(seed).needsRepair);
    await settle(machine, plan.settleMs, needsRepair).catch((error: Error) => plan.say(error.message));
    await repeatAll(client, items);
    await client.stop();
    const evidence: Evidence = {
      items,
      rounds,
      secrets,
      client: readLines<ClientLine>(machine.clientLog),
      received: readLines<Received>(machine.receiverLog),
      stored: await readStored(machine.databaseUrl),
      running: await readRunning(machine.temporalAddress),
    };
    return { ...judge(evidence), evidence, seconds: Math.round((Date.now() - startedAt) / 1_000) };
  } finally {
    plan.keepLogs?.(machine.folder);
    await machine.stop();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stopAtSignal);
  }
}

/** Creates a key for each environment, and two endpoints: one good, and one that fails sometimes. */
async function becomePartner(machine: Machine, patienceMs?: number) {
  const store = await openStore(machine.databaseUrl, 1);
  const keys: Partial<Record<Environment, string>> = {};
  for (const environment of environments) {
    const wanted = { organisation: 'Acme', environment, rateLimit: 1_000_000, grants: [...grants] };
    keys[environment] = (await makeKey(store, wanted)).key;
  }
  await store.close();
  const client = createClient(machine.apiUrl, keys, machine.clientLog, patienceMs);
  const secrets: Record<string, string> = {};
  for (const path of ['/good', '/flaky'])
    secrets[path] = (await client.registerEndpoint(machine.receiverUrl + path)).secret;
  return { client, secrets };
}

/** A round starts when the load of the last but one is answered, so the loads of two rounds overlap. */
async function strikeAll(plan: Plan, machine: Machine, client: FaultClient): Promise<Round[]> {
  const rounds: Round[] = [];
  const loads: Promise<unknown>[] = [];
  for (const seed of plan.seeds) {
    if (Date.now() >= plan.untilMs) break;
    await loads.at(-2);
    const startedAt = Date.now();
    const { name, mayRepeat, maySendLate = false, plan: planned } = faultOf(seed);
    const strike = planned(machine, diceOf(seed));
    await strike.prepare?.();
    const broken = strike.break();
    loads.push(load(client, itemsOf(seed, plan.itemsPerRound), strike.loadMs));
    const hit = await broken;
    await strike.mend(hit);
    const casualties = await startTheDead(machine);
    const round = { seed, fault: name, detail: strike.detail, mayRepeat, maySendLate };
    rounds.push({ ...round, hit, startedAt, lost: strike.lost?.(), casualties });
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
    plan.say(`Seed ${seed}: ${name} (${strike.detail}): ${hit ? 'struck' : 'NOT REACHED'}, ${seconds} s`);
  }
  await Promise.all(loads);
  return rounds;
}

/** Starts the parts that ended although nobody killed them, as a supervisor would. Returns their names. */
async function startTheDead({ postgres, temporal, api, worker }: Machine): Promise<string[]> {
  const dead = [postgres, temporal, api, worker].filter((part) => !part.running());
  for (const part of dead) await part.start();
  return dead.map(({ name }) => name);
}

/** Carries out the items one after the other, spread over the time. Two senders send the first request at once. */
async function load(client: FaultClient, items: Item[], ms = 400): Promise<void> {
  await Promise.all([
    ...items.slice(0, 1).map((item) => client.create(item)),
    ...items.map(async (item, number) => {
      await pause((number * ms) / items.length);
      await client.carryOut(item, ms);
    }),
  ]);
}

/**
 * Waits until no delivery is open, no person waits for a verdict, and no workflow runs. If a database came back older, some
 * workflows have no work, and the repair of the runbook ends them.
 */
async function settle(machine: Machine, msMax: number, needsRepair: boolean): Promise<void> {
  const { databaseUrl, temporalAddress } = machine;
  const open = `
    select (select count(*) from deliveries where status in ('pending', 'retrying'))
      + (select count(*) from verifications where submitted_at is not null and status <> 'completed')
      + (select count(*) from evidence join verifications on id = verification_id
         where verifications.environment = 'live' and status = 'completed' and kind in ('passport_page', 'card_front', 'card_back')) as open`;
  const isDone = async () => (await queryOnce<{ open: string }>(databaseUrl, open))[0]?.open === '0';
  await until('everything is settled', isDone, msMax, 500);
  const nothingRuns = async () => {
    if (needsRepair) await repair(machine);
    return (await countRunning(temporalAddress)) === 0;
  };
  await until('no workflow runs', nothingRuns, 120_000, 2_000);
}

const repair = ({ databaseUrl, temporalAddress, secretsKey }: Machine) =>
  promisify(execFile)(process.execPath, [inspectCommand, '--repair'], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress,
      SECRETS_KEY: secretsKey,
    },
  });
const inspectCommand = join(import.meta.dirname, '../../worker/commands/inspect.ts');

/**
 * What a database has forgotten is done again by those who asked for it. Nobody tells them, so a caller repeats whatever was
 * acknowledged in that time.
 */
async function repeatForgotten(machine: Machine, client: FaultClient, rounds: Round[], items: Item[]) {
  const forgotten = new Set(
    readLines<ClientLine>(machine.clientLog)
      .filter(({ at, ms }) => isForgotten({ rounds }, at + ms))
      .map(({ key }) => key),
  );
  const again = items.filter(({ key }) => forgotten.has(key));
  await inParallel(again, (item) => client.carryOut(item));
}

/** Sends a request with every key once more. The answer must have the same bytes. */
const repeatAll = (client: FaultClient, items: Item[]) =>
  inParallel(items, (item) => client.create(item, 'replay'));
