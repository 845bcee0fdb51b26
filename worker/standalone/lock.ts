import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StartFault } from '#platform/failures.ts';
import { cannotCreate, prepareDataDir } from './data-dir.ts';
import { identityOf } from './processes.ts';

const claimName = /^run\.(?<pid>\d+)\.(?<started>[0-9a-f]{16})\.[0-9a-f-]{36}\.lock$/;
const attempts = 8;

/**
 * One running instance per data directory. A claim is an empty file whose name says who made it: pid and moment of start, so
 * neither a killed owner nor its reused pid keeps the directory shut.
 *
 * Whoever sees no other living claim after making an own one holds the lock. Two can never both see none; when two meet,
 * both step back for a random moment.
 */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  const home = prepareDataDir(dataDir);
  for (let attempt = 1; ; attempt++) {
    const release = claim(home);
    const holder = livingClaims(home).find(({ name }) => name !== release.claim)?.pid;
    if (holder === undefined) return release;
    release();
    if (attempt === attempts) throw inUse(dataDir, holder);
    await pause(10 + Math.random() * 60);
  }
}

const inUse = (dataDir: string, pid: number) =>
  new StartFault(
    `${dataDir} is already in use by another running instance (pid ${pid}) — stop it first or choose another DATA_DIR.`,
  );

function claim(home: string) {
  const name = `run.${process.pid}.${startOf(process.pid)}.${randomUUID()}.lock`;
  try {
    writeFileSync(join(home, name), '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw cannotCreate(home, 'DATA_DIR', error);
  }
  return Object.assign(() => rmSync(join(home, name), { force: true }), { claim: name });
}

function livingClaims(home: string): { name: string; pid: number }[] {
  return readdirSync(home).flatMap((name) => {
    const { pid, started } = claimName.exec(name)?.groups ?? {};
    if (pid === undefined) return [];
    if (startOf(Number(pid)) === started) return [{ name, pid: Number(pid) }];
    rmSync(join(home, name), { force: true });
    return [];
  });
}

function startOf(pid: number): string | undefined {
  const identity = identityOf(pid);
  return identity && createHash('sha256').update(identity).digest('hex').slice(0, 16);
}
