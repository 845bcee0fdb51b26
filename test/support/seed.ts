import { createHash } from 'node:crypto';
import fc from 'fast-check';

/** The seed of every generator, the same in each run unless TEST_SEED says otherwise. A run that fails prints it. */
export const seed = Number(process.env.TEST_SEED ?? 20_261_121);
if (!Number.isInteger(seed)) throw new Error('TEST_SEED is not a whole number');

/** fast-check with that seed: tests take it from here. */
fc.configureGlobal({ seed });

export { fc };

/** The bytes that the seed gives under this name: as good as random, and the same in each run. */
export const bytesOf = (name: string, length: number): Buffer =>
  createHash('shake256', { outputLength: length }).update(`${seed} ${name}`).digest();
