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
 * Restores Postgres to an older state while Temporal keeps its newer state. What was acknowledged after the backup is lost, as with
 * any backup, but nothing hangs. The sweep starts the deliveries again, and the next commands of the client do the rest.
 */

const say = (line: string) => void process.stderr.write(`${line}\n`);

const machine = await startMachine();
try {
  const { client, secrets } = await becomePartner(machine);
  const [before, after] = [itemsOf(1, 8), itemsOf(2, 8)];

  // At the backup some verifications are pending, and some have deliveries under way.
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

/** Stops Postgres for the copy, because the files change while it runs. Returns the time when Postgres runs again. */
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
