import { createHash } from 'node:crypto';
import fc from 'fast-check';

/** The seed of every generator. It is the same in each run, except if TEST_SEED sets another. A run that fails prints it. */
export const seed = Number(process.env.TEST_SEED ?? 20_261_121);
if (!Number.isInteger(seed)) throw new Error('TEST_SEED is not a whole number');

/** Tests must import fast-check from this file, so that it uses the seed. */
fc.configureGlobal({ seed });

export { fc };

/** Returns bytes that depend on the seed and this name. They look random and are the same in each run. */
export const bytesOf = (name: string, length: number): Buffer =>
  createHash('shake256', { outputLength: length }).update(`${seed} ${name}`).digest();
