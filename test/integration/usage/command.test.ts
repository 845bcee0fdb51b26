import { expect, test } from 'vitest';
import { ended, newFolder, runProgram } from '#test/integration/standalone/support.ts';
import { startHarness } from '#test/support/harness.ts';
import { completedIn } from './completed.ts';

/** `npm run usage`. */

const harness = await startHarness({ worker: false });
const completed = completedIn(harness);
const { organisationId: acme } = await harness.key({ org: 'Acme' });
const { organisationId: other } = await harness.key({ org: 'Other' });
await harness.key({ org: 'Idle' });
await completed(acme, 'live', '2026-08-31T23:59:59.999Z', '2026-09-01T00:00:00Z', '2026-09-30T23:59:59.999Z');
await completed(other, 'live', '2026-09-15T12:00:00Z');

const program = new URL('../../../worker/commands/usage.ts', import.meta.url);
const dataDir = newFolder();

async function usage(...args: string[]) {
  return ended(runProgram(program, args, { DATABASE_URL: harness.databaseUrl, DATA_DIR: dataDir }));
}

test('prints a line, or an object, for each organisation and month', async () => {
  const asJson = await usage('--org', 'Acme', '--month', '2026-09', '--json');
  expect(asJson.exit).toBe(0);
  expect(JSON.parse(asJson.stdout)).toEqual([
    { organisation: 'Acme', organisation_id: acme, month: '2026-09', verifications: 2 },
  ]);
  expect((await usage('--month', '2026-09')).stdout).toBe(
    `2026-09  2  ${acme}  Acme\n2026-09  1  ${other}  Other\n`,
  );
  expect(await usage('--org', 'Idle')).toEqual({
    exit: 0,
    stdout: '',
    stderr: 'No live verification was completed.\n',
  });
});

test('an unknown organisation is an error, not an empty invoice', async () => {
  const { exit, stderr } = await usage('--org', 'Acmee');
  expect([exit, stderr]).toEqual([69, 'There is no organisation of that name.\n']);
});

test.each([
  ['--month', '2026-13'],
  ['--month', '2026-9'],
  ['--months', '2026-09'],
])('refuses %s %s', async (...args) => {
  expect(await usage(...args)).toMatchObject({ exit: 64, stdout: '' });
});
