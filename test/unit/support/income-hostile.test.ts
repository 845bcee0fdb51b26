import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hostileFiles } from '#test/support/specimens/income/papers/hostile.ts';

test('each hostile file is made, and none is larger than an upload may be', {
  timeout: 120_000,
}, async () => {
  const files = hostileFiles();
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
  expect(files.length).toBeGreaterThan(300);
  const digests = new Map<string, string>();
  // The bombs are made by the measurement only: packing a gigabyte takes seconds.
  for (const { name, make } of files.filter(
    (each) => !/ [MG]B|packed twice|million|\d0,000/.test(each.name),
  )) {
    const bytes = await make();
    expect(bytes.length, name).toBeLessThan(10_000_000);
    digests.set(name, createHash('sha256').update(bytes).digest('hex'));
  }
  expect(new Set(digests.values()).size).toBeGreaterThan(digests.size - 5);
});
