import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bytesOf, fc, seed } from '#test/support/seed.ts';

const root = join(import.meta.dirname, '../../..');
const seeded = 'test/support/seed.ts';
const files = globSync('test/**/*.{ts,mjs}', { cwd: root, exclude: ['**/node_modules'] });

/** A random UUID is allowed, because tests need only that it is unique. */
const unseeded =
  /Math\.random\(|\b(?:randomBytes|randomInt|randomFill(?:Sync)?|getRandomValues)\(|'fast-check'/;

test.each([
  'const org = Math.random();',
  'randomBytes(32)',
  'crypto.getRandomValues(array)',
  "import fc from 'fast-check';",
])('%s is a generator without a seed', (line) => {
  expect(line).toMatch(unseeded);
});

test('no test has a generator without a seed', () => {
  const found = files.filter((file) => unseeded.test(readFileSync(join(root, file), 'utf8')));
  expect(found.sort()).toEqual([seeded, 'test/unit/support/seed.test.ts']);
});

test('the same seed gives the same values, and each name values of its own', () => {
  expect(bytesOf('one', 16)).toEqual(bytesOf('one', 16));
  expect(bytesOf('one', 16)).not.toEqual(bytesOf('other', 16));
  expect(fc.readConfigureGlobal()?.seed).toBe(seed);
});

test('a property that fails says by which seed', () => {
  const property = fc.property(fc.nat(), () => false);
  expect(() => fc.assert(property)).toThrow(`seed: ${seed}`);
});
