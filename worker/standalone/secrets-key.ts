import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cannotCreate } from './data-dir.ts';

/** The key that protects this data directory's secrets, made once; without it what it sealed can never be opened again. */
export function ensureSecretsKey(dataDir: string): Buffer {
  const file = fileIn(dataDir);
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannotCreate(dataDir, 'DATA_DIR', error);
  }
  return read(file);
}

/** The key of this data directory, if it has one of its own. */
export const findSecretsKey = (dataDir: string): Buffer | undefined =>
  existsSync(fileIn(dataDir)) ? read(fileIn(dataDir)) : undefined;

const fileIn = (dataDir: string) => join(dataDir, 'secrets-key');
const read = (file: string) => Buffer.from(readFileSync(file, 'utf8'), 'base64');
