import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cannotCreate } from './data-dir.ts';

/**
 * Returns the secrets key of this data directory, and creates it at the first call. If its file is lost, no sealed value can ever
 * be opened again.
 */
export function ensureSecretsKey(dataDir: string): Buffer {
  const file = fileIn(dataDir);
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannotCreate(dataDir, 'DATA_DIR', error);
  }
  return read(file);
}

/** Returns undefined if this data directory has no secrets key. */
export const findSecretsKey = (dataDir: string): Buffer | undefined =>
  existsSync(fileIn(dataDir)) ? read(fileIn(dataDir)) : undefined;

const fileIn = (dataDir: string) => join(dataDir, 'secrets-key');
const read = (file: string) => Buffer.from(readFileSync(file, 'utf8'), 'base64');
