import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faultsNamed } from '#test/faults/kinds/faults.ts';
import { plants } from '#test/faults/plants.ts';

const root = join(import.meta.dirname, '../../..');

test.each(plants)('$bug: it can still be planted, and its fault exists', ({ file, from, only }) => {
  expect(readFileSync(join(root, file), 'utf8').split(from)).toHaveLength(2);
  expect(faultsNamed(only)).not.toEqual([]);
});
