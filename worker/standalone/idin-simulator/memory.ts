import { existsSync, readFileSync } from 'node:fs';
import { writePrivately } from './keys.ts';

/** Keeps something, and gives it back to the next process. */
export type Memory<Kept> = { read(): Kept; write(kept: Kept): void };

/** A file that nobody else can read. A simulator that was killed goes on with it. `none`: what a first process finds. */
export const memoryIn = <Kept>(file: string, none: Kept): Memory<Kept> => ({
  read: () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : none),
  write: (kept) => writePrivately(file, JSON.stringify(kept)),
});
