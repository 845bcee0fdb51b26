import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { accountFor } from '#worker/standalone/postgres/cluster.ts';
import type { Machine } from './machine.ts';
import { queryOnce, until } from './tools.ts';

/** Postgres' own recovery to a moment: a physical backup of a running server, and the log of what came after it. */

const backupOf = ({ cluster }: Machine) => `${cluster}.backup`;
const failedOf = ({ cluster }: Machine) => `${cluster}.failed`;

/** Copies the files of the running server. Recovery repairs what changed during the copy. */
export async function backUpCluster(machine: Machine): Promise<void> {
  const backup = backupOf(machine);
  rmSync(backup, { recursive: true, force: true });
  const session = new pg.Client({ connectionString: machine.databaseUrl });
  await session.connect();
  try {
    await session.query(`select pg_backup_start('faults', true)`);
    copyCluster(machine.cluster, backup);
    const { rows } = await session.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(false)',
    );
    writeAsPostgres(machine, 'backup_label', rows[0]?.labelfile ?? '');
  } finally {
    await session.end();
  }
}

/**
 * Replaces the files of the stopped server by the backup, and replays the log up to the target. Resolves when the server accepts
 * writes again. The log comes from the server that failed, which keeps all of it.
 */
export async function putBackCluster(machine: Machine, target: Date): Promise<void> {
  const { cluster, postgres, databaseUrl } = machine;
  rmSync(failedOf(machine), { recursive: true, force: true });
  renameSync(cluster, failedOf(machine));
  const settings = {
    restore_command: `cp ${failedOf(machine)}/pg_wal/%f %p`,
    recovery_target_time: target.toISOString().replace('Z', '+00'),
    recovery_target_action: 'promote',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  writeAsPostgres(machine, 'postgresql.auto.conf', lines.join(''));
  writeAsPostgres(machine, 'recovery.signal', '');
  renameSync(backupOf(machine), cluster);
  await postgres.start();
  await until('Postgres accepts writes', async () => {
    const [row] = await queryOnce<{ recovering: boolean }>(
      databaseUrl,
      'select pg_is_in_recovery() as recovering',
    );
    return row?.recovering === false;
  });
}

/** Copies everything but the log and what belongs to the running process. */
function copyCluster(cluster: string, copy: string): void {
  const names = readdirSync(cluster).filter((name) => name !== 'pg_wal' && name !== 'postmaster.pid');
  for (const folder of [copy, join(copy, 'pg_wal')]) {
    mkdirSync(folder, { mode: 0o700 });
    giveToPostgres(cluster, folder);
  }
  execFileSync('cp', ['-a', ...names.map((name) => join(cluster, name)), copy]);
}

function writeAsPostgres(machine: Machine, name: string, text: string): void {
  const file = join(backupOf(machine), name);
  writeFileSync(file, text, { mode: 0o600 });
  giveToPostgres(machine.cluster, file);
}

function giveToPostgres(cluster: string, path: string): void {
  const account = accountFor(dirname(cluster));
  if (account) chownSync(path, account.uid, account.gid);
}
