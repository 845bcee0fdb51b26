import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, 'docs/security.md'), 'utf8');

test('every test that the threat model names exists', () => {
  const named = [...text.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(40);
  const missing = named.filter(
    (file) => !existsSync(join(root, file.startsWith('test/') ? file : join('test/integration', file))),
  );
  expect(missing).toEqual([]);
});

test('each finding of the review has its line, with a test that shows it', () => {
  const ids = [
    ...Array.from({ length: 5 }, (_, n) => `M${n + 2}`),
    ...Array.from({ length: 13 }, (_, n) => `L${n + 1}`),
  ];
  const lines = text.split('\n').filter((line) => /^\| [ML]\d+ \|/.test(line));
  expect(lines.map((line) => line.split(' ')[1])).toEqual(ids);
  for (const line of lines) expect(line).toMatch(/^\| \w+ \| [^|]+ \| [^|]+ \| `[^|]+\.test\.ts` \|$/);
});

test('each threat in a table names what holds it and a test', () => {
  const threats = text.split('\n').filter((line) => /^\| [STRIDE] \|/.test(line));
  expect(threats.length).toBeGreaterThan(25);
  for (const line of threats) expect(line).toMatch(/^\| \w \| [^|]+ \| [^|]+ \| `[^|]+\.test\.ts` \|$/);
});
