import { readFile } from 'node:fs/promises';
import { randomFrom } from '../photograph.ts';
import type { Random } from './people.ts';

/** The results that earlier runs have left in a file, one in each line. None if there is no file yet. */
export async function resultsIn<Result>(file: string): Promise<Result[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Chance for one drawing, so that the seed, its kind and its index decide everything about it. */
export function randomOf(seed: number, kind: number, index: number): Random {
  const random = randomFrom(seed * 7919 + kind * 104_729 + index * 1_299_709);
  // The first numbers of neighbouring seeds are near each other.
  for (let warmUp = 0; warmUp < 8; warmUp++) random();
  return random;
}
