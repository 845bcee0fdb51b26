import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faults } from '#test/faults/faults.ts';
import { plants } from '#test/faults/plants.ts';

const root = join(import.meta.dirname, '../../..');

test.each(plants)('$bug: it can still be planted, and its fault exists', ({ file, from, args }) => {
  expect(readFileSync(join(root, file), 'utf8').split(from)).toHaveLength(2);
  expect(faults.map(({ name }) => name)).toContain(args[args.indexOf('--only') + 1]);
});
