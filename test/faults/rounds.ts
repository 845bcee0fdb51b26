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
  /** No further round is begun after this. */
  untilMs: number;
  itemsPerRound: number;
  /** How long deliveries may take after the last round. */
  settleMs: number;
  say: (line: string) => void;
  /** Is given the folder with everything that the parts wrote, before it goes. */
  keepLogs?: (folder: string) => void;
};

export type Outcome = ReturnType<typeof judge> & { evidence: Evidence; seconds: number };

/** Round after round on one machine; the verdict comes at the end, when every delivery had its time. */
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

/** A key, and two endpoints: one good, one that fails sometimes. */
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

/** The next round begins when the round before the last is answered in full, so that two overlap. */
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

/** What has ended though nobody killed it; a supervisor would start it again, so we do. */
async function startTheDead({ postgres, temporal, api, worker }: Machine): Promise<string[]> {
  const dead = [postgres, temporal, api, worker].filter((part) => !part.running());
  for (const part of dead) await part.start();
  return dead.map(({ name }) => name);
}

/** A burst, spread a little; its first request is sent by two at once. */
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

/** Once more with every key: the same answer, byte for byte. */
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
