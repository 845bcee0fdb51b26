import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parts } from '#test/suites/parts.ts';
import { browserWalk, exceptions, gateExcludes, longest, slow } from '#test/suites/slow.ts';

const root = join(import.meta.dirname, '../../..');
const testFiles = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] });

test('every test is in the gate or in a part of the whole, and none is in both', () => {
  const inParts = parts.flatMap((part) => ('files' in part ? part.files : []));
  expect(inParts.sort()).toEqual(Object.keys(slow).sort());
  expect(inParts.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const outsideOfBoth = testFiles.filter(
    (file) => /^test\/(browser|large)\//.test(file) && !gateExcludes(file),
  );
  expect(outsideOfBoth).toEqual([browserWalk]);
});

test('no part is expected to take longer than nine minutes', () => {
  expect(parts.filter(({ seconds }) => seconds > 540)).toEqual([]);
});

test('at most eight files of the gate may be slow, and each is there', () => {
  const named = Object.keys(exceptions);
  expect(named.length).toBeLessThanOrEqual(8);
  expect(named.filter((file) => gateExcludes(file) || !existsSync(join(root, file)))).toEqual([]);
});

test('what begins first is in the gate', () => {
  expect(longest.filter((file) => gateExcludes(file) || !existsSync(join(root, file)))).toEqual([]);
});

/** The paths in the tables of the invariants, each with whether the table calls it slow. */
function citedInvariants(): { file: string; whole: boolean }[] {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const section = text.slice(text.indexOf('\n## Invariants'), text.indexOf('\n## Secrets at rest'));
  return [...section.matchAll(/`(test\/[^`]*\.test\.ts)`( \(whole\))?/g)].map(([, file = '', whole]) => ({
    file,
    whole: whole !== undefined,
  }));
}

test('the tables of the invariants say which tests the gate leaves out', () => {
  const cited = citedInvariants();
  expect(cited.length).toBeGreaterThan(100);
  expect(cited.filter(({ file, whole }) => whole !== gateExcludes(file))).toEqual([]);
});
