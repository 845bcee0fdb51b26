import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { housekeepingPartId, type LedgerSigned, workflowNames } from '#contract/workflows.ts';
import { createSigner } from '#platform/crypto/ed25519.ts';
import { rootFiles } from '#platform/crypto/root-files.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { startHarness } from '#test/support/harness.ts';
import { fillLedger } from '#test/support/rows/fill.ts';

const folder = await mkdtemp(join(tmpdir(), 'ledger-'));
atTheEnd(() => rm(folder, { recursive: true }));
const signer = createSigner([Buffer.alloc(32, 21)]);

const runHousekeeping = async ({
  temporal,
  housekeepingId,
  queues,
}: Awaited<ReturnType<typeof startHarness>>) => {
  const workflowId = `${housekeepingId}-2026-11-22T0${hour++}:00:00Z`;
  await temporal.workflow.execute(workflowNames.housekeeping, {
    workflowId,
    taskQueue: queues.verifications,
  });
  const part = temporal.workflow.getHandle<() => Promise<LedgerSigned>>(
    housekeepingPartId(housekeepingId, 'ledger'),
  );
  return part.result();
};
let hour = 0;

test('housekeeping signs the ends once a day, in a workflow of its own, and begins anew after a failure', async () => {
  const harness = await startHarness({ roots: rootFiles(folder, signer) });
  const { organisationId: orgId } = await harness.key();
  const theKey = 1;
  await fillLedger(harness.ctx, { orgId, subjects: 3, linesEach: 2 });
  await harness.rows`alter table ledger rename to ledger_away`;
  const signed = runHousekeeping(harness);
  const handle = harness.temporal.workflow.getHandle(housekeepingPartId(harness.housekeepingId, 'ledger'));
  await expect
    .poll(async () => (await handle.describe().catch(() => undefined))?.raw.pendingActivities?.[0]?.attempt)
    .toBeGreaterThan(1);
  await harness.rows`alter table ledger_away rename to ledger`;
  const first = await signed;
  expect(first).toEqual({
    day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    chains: 3 + theKey,
    broken: null,
  });
  await fillLedger(harness.ctx, { orgId, subjects: 1, linesEach: 1 });
  const again = await runHousekeeping(harness);
  const isNextDay = again.day !== first.day;
  expect(again.chains).toBe(first.chains + (isNextDay ? 1 : 0));
  expect((await readdir(folder)).filter((name) => name.endsWith('.sig'))).toHaveLength(isNextDay ? 2 : 1);
});

test('a worker without a folder for them signs nothing, and its housekeeping ends', async () => {
  const harness = await startHarness();
  expect(await runHousekeeping(harness)).toEqual({ day: null, chains: 0, broken: null });
});
