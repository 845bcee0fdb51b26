import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { z } from 'zod';
import { dayMs } from '#contract/time.ts';

const Pair = z.strictObject({ certificate: z.string(), privateKey: z.string() });
const Keys = z.strictObject({ merchant: Pair, acquirer: Pair, bank: Pair });
export type KeyPair = z.infer<typeof Pair>;
/** The keys of the three parties. The simulator has all of them, because it also writes the contract of its merchant. */
export type SimulatorKeys = z.infer<typeof Keys>;

/** Returns the keys in this folder, and makes them at the first call. They are of no use but with this simulator. */
export async function ensureKeys(folder: string): Promise<SimulatorKeys> {
  const file = join(folder, 'keys.json');
  if (existsSync(file)) return Keys.parse(JSON.parse(readFileSync(file, 'utf8')));
  const keys = await makeKeys();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writePrivately(file, JSON.stringify(keys));
  return keys;
}

/** Makes keys that are kept nowhere. */
export async function makeKeys(): Promise<SimulatorKeys> {
  const [merchant, acquirer, bank] = await Promise.all(
    ['merchant', 'acquirer', 'bank'].map((name) => makePair(`iDIN simulator ${name}`)),
  );
  return Keys.parse({ merchant, acquirer, bank });
}

/** A certificate is valid from yesterday, because clocks differ. */
export async function makePair(commonName: string, days = 3650): Promise<KeyPair> {
  const made = await generate([{ name: 'commonName', value: commonName }], {
    ...{ keyType: 'rsa', keySize: 2048, algorithm: 'sha256' },
    notBeforeDate: new Date(Date.now() - 2 * dayMs),
    notAfterDate: new Date(Date.now() + days * dayMs),
  });
  return { certificate: made.cert, privateKey: made.private };
}

/** Writes a file that nobody else can read, all of it or nothing. */
export function writePrivately(file: string, content: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, file);
}
