import { copyFileSync, globSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deliveryWorkflowId, verificationWorkflowId } from '#contract/workflows.ts';
import { createOverdueSweep } from '#services/deliveries/restart.ts';
import { createSubmissionSweep } from '#services/flow/restart.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { gatedReader } from '#test/support/examiners/gated-reader.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { eventually, startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { startMortalTemporal } from '#test/support/servers/mortal-servers.ts';

/**
 * Temporal comes back as it was some seconds ago, while the worker lives on. The runs in the worker's cache are then ahead of Temporal, and
 * the worker takes what happens next for what it has seen already.
 */

/** Ends after the worker is back, even on a busy machine: a task that no worker takes in ten seconds comes anew with its whole history. */
const waitMs = 20_000;
const folder = mkdtempSync(join(tmpdir(), 'put-back-'));
const temporal = await startMortalTemporal(folder);
atTheEnd(async () => {
  await temporal.stop();
  rmSync(folder, { recursive: true, force: true });
});
const { documents, open } = gatedReader();
const harness = await startHarness({
  ...{ documents, temporalAddress: temporal.address, retryWaitsMs: [waitMs] },
});

const { workflowService, options } = harness.temporal;
const described = async (workflowId: string) => {
  const found = await workflowService.describeWorkflowExecution({
    ...{ namespace: options.namespace, execution: { workflowId } },
  });
  const info = found.workflowExecutionInfo;
  return {
    runId: info?.execution?.runId,
    events: Number(info?.historyLength),
    atWork: found.pendingWorkflowTask !== null || (found.pendingActivities ?? []).length > 0,
    started: (found.pendingActivities ?? []).some(({ lastStartedTime }) => lastStartedTime),
    isTaskDone: found.pendingWorkflowTask === null,
  };
};

/** Brings events into a run, and waits until the worker has taken each of them up. */
async function goAhead(workflowId: string): Promise<void> {
  for (let signal = 1; signal <= 4; signal++) {
    await harness.temporal.workflow.getHandle(workflowId).signal('wake');
    await eventually(async () => (await described(workflowId)).isTaskDone).toBe(true);
  }
}

const suffix = '.copy';
const copy = () =>
  temporal.frozen(() => {
    for (const file of globSync(`${temporal.dbFile}*`)) copyFileSync(file, file + suffix);
  });
async function putBack(): Promise<void> {
  await temporal.kill();
  for (const file of globSync(`${temporal.dbFile}*`)) if (!file.endsWith(suffix)) rmSync(file);
  for (const file of globSync(`${temporal.dbFile}*${suffix}`))
    renameSync(file, file.slice(0, -suffix.length));
  await temporal.start();
}

const later = { ...harness.ctx.clock, now: () => new Date(Date.now() + 180_000) };
const sweepers = { ...harness.ctx, clock: later, retryWaitsMs: [waitMs] };
const never = new AbortController().signal;

test('what waits for ever in a worker that is ahead of Temporal is found by the sweep, and goes on', async () => {
  const { key } = await harness.key({ environment: 'live' });
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { method: 'document_only' },
  });
  const user = person(harness, json.verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  await user.submit();
  const partner = await startPartner(harness, {}, { status: 500 }, { status: 200 });
  await partner.ask('POST', '/verifications', { method: 'idin' });
  await partner.receiver.waitFor(1);
  const delivery = async () => {
    const [row] = await harness.rows<{ id: string; status: string }>`select id, status from deliveries`;
    return row;
  };
  await eventually(async () => (await delivery())?.status).toBe('retrying');
  const runs = [verificationWorkflowId(json.id), deliveryWorkflowId((await delivery())?.id ?? '')];
  await eventually(async () => (await described(runs[0] ?? '')).started).toBe(true);

  copy();
  await Promise.all(runs.map(goAhead));
  const ahead = await Promise.all(runs.map(described));
  await putBack();
  // The first answers fail until the server is found again.
  await eventually(async () => (await Promise.all(runs.map(described))).length).toBe(2);
  const before = await Promise.all(runs.map(described));
  expect(before.every(({ events }, i) => events < (ahead[i]?.events ?? 0))).toBe(true);

  open();
  await expect
    .poll(
      async () =>
        (await Promise.all(runs.map(described))).map(
          ({ atWork, events }, i) => !atWork && events > (before[i]?.events ?? 0),
        ),
      { timeout: 60_000 },
    )
    .toEqual([true, true]);
  const status = async () =>
    (await call(harness, 'GET', `/v1/verifications/${json.id}`, { key })).json.status;
  expect([await status(), (await delivery())?.status]).toEqual(['in_progress', 'retrying']);

  expect(await createSubmissionSweep(sweepers)(never)).toEqual({ found: 1, failed: 0 });
  expect(await createOverdueSweep(sweepers)(never)).toEqual({ found: 1, failed: 0 });
  await eventually(status).toBe('completed');
  await eventually(async () => (await delivery())?.status).toBe('delivered');
  expect(partner.receiver.received).toHaveLength(2);
});
