import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { fillVerifications } from '#test/support/rows/fill.ts';

/** The output of a command is often cut, for example by `| head -1`. Its reader then closes the pipe. */

const harness = await startHarness({ worker: false });
const folder = join(import.meta.dirname, '../../../worker/commands');
const env = {
  ...process.env,
  DATABASE_URL: harness.roleUrls.app,
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
};

/** Runs a command whose output nobody reads after its first bytes. */
async function cut(file: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(folder, file), ...args], { env });
  child.stdout.once('data', () => child.stdout.destroy());
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { stderr, code };
}

test('a command whose reader has gone does its work and prints no trace', async () => {
  const { organisationId: orgId } = await harness.key({ environment: 'live' });
  await fillVerifications(harness.ctx, { orgId, environment: 'live', count: 4_000 });
  expect(await cut('relations.ts', '--days', '2000')).toEqual({ stderr: '', code: 0 });
});

test('every command that prints has the function that knows this', () => {
  const sources = globSync('**/*.ts', { cwd: folder })
    .filter((name) => basename(name) !== 'command-line.ts')
    .map((name) => ({ name, source: readFileSync(join(folder, name), 'utf8') }));
  const printing = sources.filter(({ source }) => /process\.stdout\.write|console\.\w+\(/.test(source));
  expect(printing.length).toBeGreaterThan(0);
  expect(printing.filter(({ source }) => !/from '[./\w]*\/command-line\.ts'/.test(source))).toEqual([]);
});
