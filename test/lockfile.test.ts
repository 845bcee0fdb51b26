import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Package = { version?: string; optionalDependencies?: Record<string, string> };
const lock: { packages: Record<string, Package> } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
);
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

test('the lockfile knows every platform, so that npm ci works on each of them', () => {
  const wanted = Object.values(lock.packages).flatMap(({ optionalDependencies }) =>
    Object.keys(optionalDependencies ?? {}),
  );
  const known = Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1));
  expect([...new Set(wanted)].filter((name) => !known.includes(name))).toEqual([]);
});

test.each(['../package-lock.json', './interop/package-lock.json'])(
  '%s names no place that packages came from',
  (file) => {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8');
    expect(text).toContain('"lockfileVersion": 3');
    expect(text).not.toContain('"resolved"');
  },
);

test('every direct dependency is pinned exactly', () => {
  const { '@scalar/api-reference': scalarParts, ...overrides } = manifest.overrides;
  const ranges = [manifest.dependencies, manifest.devDependencies, overrides].flatMap(Object.values);
  for (const range of ranges) expect(range).toMatch(/^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/);
  expect(new Set(Object.values(scalarParts))).toEqual(new Set(['npm:noop-package@1.0.0']));
});
