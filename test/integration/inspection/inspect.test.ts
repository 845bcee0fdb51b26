import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { startTestTemporal } from '#test/support/temporal.ts';

const folder = await mkdtemp(join(tmpdir(), 'inspection-'));
atTheEnd(() => rm(folder, { recursive: true }));
const temporal = await startTestTemporal(folder);
atTheEnd(temporal.stop);
const harness = await startHarness({ temporalAddress: temporal.address });
const { key } = await harness.key();

const command = fileURLToPath(new URL('../../../worker/commands/inspect.ts', import.meta.url));
const run = (...args: string[]) => {
  const { status, stdout } = spawnSync(process.execPath, [command, ...args], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: harness.databaseUrl, TEMPORAL_ADDRESS: temporal.address },
  });
  return { status, stdout };
};
const pending = async () =>
  (await call(harness, 'POST', '/v1/verifications', { key, body: { sandbox: { auto_complete: false } } }))
    .json.id;

test('a verification that a restored database no longer knows is named, and its workflow ended by --repair', async () => {
  const [kept, lost] = [await pending(), await pending()];
  for (const table of ['ledger', 'requests', 'verifications'])
    await harness.rows`delete from ${sql.table(table)} where ${sql.ref(table === 'ledger' ? 'subject_id' : 'id')} = ${lost}`;
  await expect.poll(() => run().stdout, { timeout: 20_000, interval: 500 }).toContain(lost);
  expect(run().status).toBe(1);
  const repaired = run('--repair');
  expect(repaired.stdout).toContain('(ended)');
  expect(repaired.stdout).not.toContain(kept);
  const status = async (id: string) =>
    (await harness.temporal.workflow.getHandle(verificationWorkflowId(id)).describe()).status.name;
  expect(await status(lost)).toBe('TERMINATED');
  expect(await status(kept)).toBe('RUNNING');
});

test('a changed line of the ledger is found', async () => {
  const id = await pending();
  expect(run().stdout).not.toContain(id);
  await harness.rows`update ledger set data = data || '{"method":"idin"}' where subject_id = ${id}`;
  const { status, stdout } = run();
  expect(status).toBe(1);
  expect(stdout).toContain(`ledger chains that do not hold: 1`);
  expect(stdout).toContain(id);
});
