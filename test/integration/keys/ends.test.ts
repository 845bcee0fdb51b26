import { expect, test } from 'vitest';
import { ended, newFolder, runProgram } from '#test/integration/standalone/support.ts';
import { startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const program = new URL('../../../worker/commands/keys.ts', import.meta.url);
const dataDir = newFolder();

async function create(...args: string[]) {
  const command = ['create', '--org', 'Acme', ...args, '--json'];
  const { exit, stdout, stderr } = await ended(
    runProgram(program, command, { DATABASE_URL: harness.databaseUrl, DATA_DIR: dataDir }),
  );
  expect(exit, stderr).toBe(0);
  return { end: JSON.parse(stdout).expires_at as string | null, stderr };
}

const dayMs = 86_400_000;

test('a live key of the command ends after a year, and the command says when', async () => {
  const { end, stderr } = await create('--environment', 'live');
  const days = (Date.parse(end ?? '') - Date.now()) / dayMs;
  expect(days).toBeGreaterThan(364);
  expect(days).toBeLessThan(367);
  expect(stderr).toContain(`It works until ${end}.`);
});

test('a live key without an end is asked for, and a sandbox key has none', async () => {
  for (const args of [
    ['--environment', 'live', '--expires-at', 'never'],
    ['--environment', 'sandbox'],
  ]) {
    const { end, stderr } = await create(...args);
    expect([args, end]).toEqual([args, null]);
    expect(stderr).toContain('It works until it is revoked.');
  }
});
