import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cannotCreate } from './data-dir.ts';

/** The key that protects this data directory's secrets, made once; without it what it sealed can never be opened again. */
export function ensureSecretsKey(dataDir: string): Buffer {
  const file = join(dataDir, 'secrets-key');
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannotCreate(dataDir, 'DATA_DIR', error);
  }
  return Buffer.from(readFileSync(file, 'utf8'), 'base64');
}
