import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { steps } from '#test/containers/steps/steps.ts';

const program = join(import.meta.dirname, '../../containers/run.ts');

test('where containers cannot run, one line says how much was left out and why, and nothing fails', () => {
  const ordinaryUser = `data:text/javascript,${encodeURIComponent('process.getuid = () => 1000')}`;
  const words = [`--import=${ordinaryUser}`, program];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  // Another system than Debian is a reason before that.
  const reason =
    '(it needs root, because networks between containers do|its images are made of .+|containers need Linux)';
  expect(steps.length).toBeGreaterThan(10);
  expect(stdout).toMatch(new RegExp(`^containers: skipped, ${steps.length} steps: ${reason}\\n$`));
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
