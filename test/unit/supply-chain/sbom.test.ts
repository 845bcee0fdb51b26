import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

type Component = { purl: string; hashes?: { alg: string }[]; properties?: { name: string }[] };
type Locked = { version?: string; dev?: boolean };

/** A package as text, and whether it is for development only. */
const described = (name: string, isDev: boolean) => `${name}${isDev ? ' (development)' : ''}`;

// npm's option --omit=dev also omits packages of production that a package for development needs too, among them the driver of Postgres.
test('the bill of materials has each locked package with its SHA-512, and marks what is for development only', () => {
  const printed = execFileSync('npm', ['run', '--silent', 'sbom'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 50_000_000,
  });
  const bill: { bomFormat: string; components: Component[] } = JSON.parse(printed);
  expect(bill.bomFormat).toBe('CycloneDX');
  expect(bill.components.filter(({ hashes }) => hashes?.[0]?.alg !== 'SHA-512')).toEqual([]);
  const listed = bill.components.map(({ purl, properties = [] }) =>
    described(
      decodeURIComponent(purl),
      properties.some(({ name }) => name.endsWith(':development')),
    ),
  );
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const locked = Object.entries<Locked>(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version, dev = false }]) =>
      described(`pkg:npm/${path.split('node_modules/').at(-1)}@${version}`, dev),
    );
  expect([...new Set(listed)].sort()).toEqual([...new Set(locked)].sort());
}, 30_000);
