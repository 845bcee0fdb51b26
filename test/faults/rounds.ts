import { setTimeout as pause } from 'node:timers/promises';
import { grants } from '#contract/enums.ts';
import { createKey } from '#services/keys/create.ts';
import { openStore } from '#store/connection.ts';
import { type ClientLine, createClient, type FaultClient, itemsOf } from './client.ts';
import type { Fault } from './faults.ts';
import { type Machine, startMachine } from './machine.ts';
import { type Evidence, judge, type Received, type Round } from './oracle.ts';
import { readStored } from './stored.ts';
import { queryOnce, readLines, until } from './tools.ts';

export type Plan = {
  faults: readonly Fault[];
  rounds: number;
  /** No further round starts after this moment (epoch milliseconds). */
  untilMs: number;
  itemsPerRound: number;
  /** How many milliseconds deliveries may take after the last round. */
  settleMs: number;
  say: (line: string) => void;
  /** Called with the folder of all files that the parts wrote, before the folder is deleted. */
  keepLogs?: (folder: string) => void;
};

export type Outcome = ReturnType<typeof judge> & { evidence: Evidence; seconds: number };

/** Runs the rounds on one machine. The verdict comes at the end, after every delivery had time to finish. */
export async function runRounds(plan: Plan): Promise<Outcome> {
  const startedAt = Date.now();
  const machine = await startMachine();
  const stopAtSignal = () => void machine.stop().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopAtSignal);
  try {
    const { client, secrets } = await becomePartner(machine);
    const rounds = await strikeAll(plan, machine, client);
    plan.say('All rounds done: waiting for the deliveries to settle');
    await settle(machine, plan.settleMs).catch((error: Error) => plan.say(error.message));
    await replayAll(machine, client);
    await client.stop();
    const evidence: Evidence = {
      rounds,
      secrets,
      client: readLines<ClientLine>(machine.clientLog),
      received: readLines<Received>(machine.receiverLog),
      stored: await readStored(machine.databaseUrl),
    };
    return { ...judge(evidence), evidence, seconds: Math.round((Date.now() - startedAt) / 1_000) };
  } finally {
    plan.keepLogs?.(machine.folder);
    await machine.stop();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stopAtSignal);
  }
}

/** Creates a key and two endpoints: one good, and one that fails sometimes. */
export async function becomePartner(machine: Machine) {
  const store = await openStore(machine.databaseUrl, 1);
  const { key } = await createKey(store, {
    organisation: 'Acme',
    environment: 'sandbox',
    grants: [...grants],
    rateLimit: 1_000_000,
  });
  await store.close();
  const client = createClient(machine.apiUrl, key, machine.clientLog);
  const secrets: Record<string, string> = {};
  for (const path of ['/good', '/flaky'])
    secrets[path] = (await client.registerEndpoint(machine.receiverUrl + path)).secret;
  return { client, secrets };
}

/** Round n starts when the load of round n - 2 is answered, so the loads of two rounds overlap. */
async function strikeAll(plan: Plan, machine: Machine, client: FaultClient): Promise<Round[]> {
  const rounds: Round[] = [];
  const loads: Promise<unknown>[] = [];
  for (let number = 1; number <= plan.rounds && Date.now() < plan.untilMs; number++) {
    const fault = plan.faults[(number - 1) % plan.faults.length];
    if (fault === undefined) break;
    await loads.at(-2);
    const startedAt = Date.now();
    const arrival = 1 + (Math.floor((number - 1) / plan.faults.length) % 3);
    const hit = await fault.strike(machine, arrival, () => {
      loads.push(load(client, number, plan.itemsPerRound));
    });
    const casualties = await startTheDead(machine);
    rounds.push({ number, fault: fault.name, mayRepeat: fault.mayRepeat, hit, startedAt, casualties });
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
    plan.say(
      `Round ${number}: ${fault.name} (arrival ${arrival}): ${hit ? 'struck' : 'NOT REACHED'}, ${seconds} s`,
    );
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

/** Sends a short burst. Two senders send its first request at once. */
async function load(client: FaultClient, round: number, count: number): Promise<void> {
  const items = itemsOf(round, count);
  await Promise.all([
    ...items.slice(0, 1).map((item) => client.create(item)),
    ...items.map(async (item, number) => {
      await pause(number * 40);
      await client.carryOut(item);
    }),
  ]);
}

export async function settle({ databaseUrl }: Machine, msMax: number): Promise<void> {
  const open = `select count(*)::int as open from deliveries where status in ('pending', 'retrying')`;
  await until(
    'every delivery is settled',
    async () => (await queryOnce<{ open: number }>(databaseUrl, open))[0]?.open === 0,
    msMax,
    500,
  );
}

/** Sends a request with every key once more. The answer must have the same bytes. */
async function replayAll(machine: Machine, client: FaultClient): Promise<void> {
  const items = new Map(
    readLines<ClientLine>(machine.clientLog).map(({ key, round }) => [
      key,
      { key, round, completes: Number(key.split('-').at(-1)) % 2 === 1 },
    ]),
  );
  const queue = [...items.values()];
  const repeat = async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await client.create(item, 'replay');
  };
  await Promise.all(Array.from({ length: 8 }, repeat));
}
