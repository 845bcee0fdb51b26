import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomToken } from '#platform/crypto/random.ts';
import { cannotCreate } from './data-dir.ts';

/**
 * The keys that `npm start` makes in a data directory. If `secrets-key` is lost, no sealed value can ever be opened again. `ledger-key`
 * signs the ends of the ledger.
 */
export type KeyFile = 'secrets-key' | 'ledger-key';

/** The folder of the signed ends of the ledger that `npm start` keeps. */
export const ledgerDirIn = (dataDir: string): string => join(dataDir, 'ledger');

/** Returns the key of this data directory, and creates it at the first call. */
export function ensureKey(dataDir: string, name: KeyFile): Buffer {
  const file = join(dataDir, name);
  try {
    writeFileSync(file, `${randomToken(32, 'base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannotCreate(dataDir, 'DATA_DIR', error);
  }
  return read(file);
}

/** Returns undefined if this data directory has no such key. */
export function findKey(dataDir: string, name: KeyFile): Buffer | undefined {
  const file = join(dataDir, name);
  return existsSync(file) ? read(file) : undefined;
}

const read = (file: string) => Buffer.from(readFileSync(file, 'utf8'), 'base64');
