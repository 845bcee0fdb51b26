import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shardOf } from '#test/faults/shard.ts';

const rows = Array.from({ length: 50 }, (_, place) => place);

test('all shards together are all rows, each once', () => {
  const shards = ['1/3', '2/3', '3/3'].map((shard) => shardOf(rows, shard));
  expect(shards.flat().sort((one, other) => one - other)).toEqual(rows);
});

test.each(['0/3', '4/3', '2', 'x', '1.5/3'])('%s is no shard', (text) => {
  expect(() => shardOf(rows, text)).toThrow('is no shard');
});

test.each([
  ['faults', 2],
  ['planted', 4],
])('every shard of %s has its file', (name, count) => {
  expect(globSync(`test/large/${name}-*.test.ts`)).toHaveLength(count);
});
