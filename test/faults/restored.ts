import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { type ClientLine, type Item, itemsOf } from './client.ts';
import { makeOverdue } from './faults.ts';
import { type Machine, startMachine } from './machine.ts';
import { judge, type Received } from './oracle.ts';
import { verdictOf } from './report.ts';
import { becomePartner, settle } from './rounds.ts';
import { readStored } from './stored.ts';
import { readLines } from './tools.ts';

/**
 * Postgres restored to an older state under a newer Temporal. What was acknowledged after the backup is gone, as with any
 * restored backup; but nothing is stuck: the sweep takes up the deliveries, and the client's next commands do the rest.
 */
const say = (line: string) => void process.stderr.write(`${line}\n`);

const machine = await startMachine();
try {
  const { client, secrets } = await becomePartner(machine);
  const [before, after] = [itemsOf(1, 8), itemsOf(2, 8)];

  // Some are pending at the backup, some have deliveries under way.
  await Promise.all(before.map((item) => client.create(item)));
  const backupAt = await backUp(machine);
  say('Backed up; now things go on');
  await Promise.all([...before, ...after].map((item: Item) => client.carryOut(item)));
  await settle(machine, 60_000);
  const restoredAt = await restore(machine);
  say('Restored; now the client repeats everything');
  await Promise.all([...before, ...after].map((item: Item) => client.carryOut(item)));
  await settle(machine, 60_000);
  await client.stop();

  const kept = ({ at }: { at: number }) => at < backupAt || at > restoredAt;
  const { findings } = judge({
    rounds: [1, 2].map((number) => ({
      number,
      fault: 'Postgres restored',
      mayRepeat: true,
      hit: true,
      startedAt: 0,
      casualties: [],
    })),
    secrets,
    client: readLines<ClientLine>(machine.clientLog).filter(kept),
    received: readLines<Received>(machine.receiverLog).filter(kept),
    stored: await readStored(machine.databaseUrl),
  });
  process.stdout.write(`${verdictOf(findings)}\n`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await machine.stop();
}

/** A copy of the stopped cluster's folder. */
async function backUp(machine: Machine): Promise<number> {
  await stopped(machine, () => execFileSync('cp', ['-a', machine.cluster, `${machine.cluster}.backup`]));
  return Date.now();
}

async function restore(machine: Machine): Promise<number> {
  await stopped(machine, () => {
    rmSync(machine.cluster, { recursive: true });
    renameSync(`${machine.cluster}.backup`, machine.cluster);
  });
  const at = Date.now();
  await makeOverdue(machine);
  machine.worker.signal('SIGKILL');
  await machine.worker.gone();
  await machine.worker.start();
  return at;
}

async function stopped({ postgres }: Machine, work: () => void): Promise<void> {
  postgres.signal('SIGINT');
  await postgres.gone();
  work();
  await postgres.start();
}
