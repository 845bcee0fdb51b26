import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { linesOf, look, secondLook } from '#test/suites/look.ts';

/** Runs these test files, in a project of their own, as a suite runs its own. */
async function suiteOf(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'suite-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const reporter = join(import.meta.dirname, '../../support/closing-line.ts');
  const tests = { name: 'integration', globals: true, include: ['*.test.ts'], isolate: false, maxWorkers: 1 };
  const config = `import { ClosingLine } from ${JSON.stringify(reporter)};
    export default { test: { reporters: [new ClosingLine()], projects: [{ test: ${JSON.stringify(tests)} }] } };`;
  writeFileSync(join(folder, 'vitest.config.mjs'), config);
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
  const own = (...args: string[]) => look('--root', folder, ...args);
  const lines = linesOf(await secondLook(await own(), own));
  return lines.map((line) => line.replace(/\S*\/(?=\w+\.test\.ts)/, ''));
}

/** Code that is true the first time only. The file that remembers it stands beside the test. */
const firstTime = `(() => {
  const { existsSync, writeFileSync } = process.getBuiltinModule('node:fs');
  const mark = import.meta.filename + '.ran';
  const first = !existsSync(mark);
  writeFileSync(mark, '');
  return first;
})()`;

const holds = `test('holds', () => expect(1).toBe(1));`;
const beforeAllThat = (fails: string) =>
  `const first = ${firstTime}; beforeAll(() => { if (${fails}) throw new Error('not now'); }); ${holds}`;
const patience = { timeout: 60_000 };

test('what fails twice is red, and what fails only the first time is green and named', patience, async () => {
  const lines = await suiteOf({
    'good.test.ts': holds,
    'bad.test.ts': `${holds} test('breaks', () => expect(1).toBe(2));`,
    'shaky.test.ts': `const first = ${firstTime}; ${holds} test('at first no', () => expect(first).toBe(false));`,
    'shakyBefore.test.ts': beforeAllThat('first'),
    'badBefore.test.ts': beforeAllThat('true'),
    'loose.test.ts': `test('holds', async () => {
      void Promise.reject(new Error('nobody waits'));
      await new Promise((done) => setTimeout(done, 50));
    });`,
  });
  expect(lines.filter((line) => /^(FAIL|unsteady)/.test(line)).sort()).toEqual([
    'FAIL bad.test.ts › breaks',
    'FAIL badBefore.test.ts › before its tests',
    'FAIL loose.test.ts › outside of a test: nobody waits',
    'unsteady: shaky.test.ts › at first no',
    'unsteady: shakyBefore.test.ts › before its tests',
  ]);
  expect(lines.slice(-2)).toEqual(['2 unsteady', '6 passed, 3 failed']);
});

test('a process that dies takes its other files with it, and each gets a second look', patience, async () => {
  const lines = await suiteOf({
    'dies.test.ts': `const first = ${firstTime}; test('lives', () => { if (first) process.kill(process.pid, 'SIGKILL'); });`,
    'good.test.ts': holds,
  });
  expect(lines.at(-1)).toBe('2 passed, 0 failed');
  expect(lines).toContain('unsteady: dies.test.ts › its process died');
});

test('a unit test gets no second look', async () => {
  const file = { file: 'shaky.test.ts', project: 'unit', seconds: 1, passed: 0, skipped: [], ended: true };
  const found = { files: [{ ...file, failed: ['at first no'] }], faults: [] };
  const lines = linesOf(await secondLook(found, () => expect.unreachable('a second look')));
  expect(lines.at(-1)).toBe('0 passed, 1 failed');
});

test('a run without results is red', patience, async () => {
  const lines = await suiteOf({ 'none.txt': '' });
  expect(lines.at(-1)).toBe('0 passed, 1 failed');
});
