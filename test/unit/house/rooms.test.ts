import { globSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const filesMax = 20;

/** Folders that may have more files of code. */
const exceptions: Record<string, string> = {
  'worker/commands': 'operators start each of these programs by its path, as docs/operations.md says',
};

const files = globSync('{activities,api,shared,test,worker,workflows}/**/*.{ts,mjs,js}', {
  cwd: root,
  exclude: ['**/node_modules'],
});
const counts = Map.groupBy(files, (file) => posix.dirname(file));

test(`a folder has at most ${filesMax} files of code`, () => {
  expect(counts.size).toBeGreaterThan(100);
  const crowded = [...counts].filter(
    ([folder, { length }]) => length > filesMax && !Object.hasOwn(exceptions, folder),
  );
  expect(crowded.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([]);
});
