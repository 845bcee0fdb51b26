import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newUuid, sha256Hex } from '#platform/crypto/crypto.ts';
import { StartFault } from '#platform/failures.ts';
import { cannotCreate, prepareDataDir } from './data-dir.ts';
import { identityOf } from './processes.ts';

const claimName = /^run\.(?<pid>\d+)\.(?<started>[0-9a-f]{16})\.[0-9a-f-]{36}\.lock$/;
const attempts = 8;

/**
 * Allows one running instance per data directory. Returns a function that releases the lock. Throws a StartFault if another
 * instance holds the lock.
 *
 * A claim is an empty file. Its name contains the pid and the start time of its process. So a claim is void after its process has
 * ended, even if another process gets the same pid. A process first creates its claim. It holds the lock if no running process has
 * another claim. Two processes can never both hold the lock. If two processes claim at the same time, one or both of them delete
 * their claims and try again after a random time.
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
  const name = `run.${process.pid}.${startOf(process.pid)}.${newUuid()}.lock`;
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
  return identity && sha256Hex(identity).slice(0, 16);
}
