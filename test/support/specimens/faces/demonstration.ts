import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The files of the photographs that @vladmandic/face-api has for its demonstration. They are read from node_modules, and belong in no
 * repository.
 */
export async function demonstrationPhotographs(): Promise<string[]> {
  const folder = fileURLToPath(new URL('demo/', import.meta.resolve('@vladmandic/face-api/package.json')));
  const names = (await readdir(folder)).filter((name) => /^sample\d\.jpg$/.test(name));
  return names.map((name) => join(folder, name));
}
