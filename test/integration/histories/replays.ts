import { mkdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { expect, inject } from 'vitest';
import { version } from '#platform/version.ts';
import type { Harness } from '#test/support/harness.ts';
import { decodedHistory } from '#test/support/rows/decoded-history.ts';
import { bundleWorkflows } from '#worker/bundle.ts';
import { SandboxedWorker as Worker } from '#worker/sandbox/worker.ts';

/** Traces change no history, so a run may go on when an operator turns them on. */
const traced = bundleWorkflows({ traced: true });

/**
 * The history of a run must replay with the same code, since a worker replays a run that is no longer in its cache. If
 * RECORD_HISTORIES is 1, the histories are also written to the folder of this build in `test/histories`. Later builds replay them in
 * `test/unit/workflows/replay.test.ts`. The folders of other builds are never changed.
 */
export async function replays(
  name: string,
  workflowId: string,
  { temporal, codec }: Harness,
  runId?: string,
): Promise<void> {
  const handle = temporal.workflow.getHandle(workflowId, runId);
  await handle.result();
  const history = await decodedHistory(await handle.fetchHistory(), codec);
  if (process.env.RECORD_HISTORIES === '1') await record(name, JSON.stringify(history, null, 2));
  for (const { bundle } of [inject('workflows'), await traced])
    await expect(
      Worker.runReplayHistory({ workflowBundle: bundle }, history, workflowId),
    ).resolves.toBeUndefined();
}

async function record(name: string, json: string): Promise<void> {
  const folder = `test/histories/${version}-${inject('workflows').buildId.slice(0, 8)}`;
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/${name}.json`, anonymous(json));
}

/** Removes the names of the process and the machine that recorded the history. */
function anonymous(json: string): string {
  const nameless = json.replaceAll(`${process.pid}@${hostname()}`, 'worker');
  for (const own of [`@${hostname()}`, process.cwd()]) expect(nameless.includes(own), own).toBe(false);
  return nameless;
}

/** The kinds of the events of the newest run, in order, without those of workflow tasks. */
export async function courseOf(workflowId: string, { temporal }: Harness): Promise<string[]> {
  const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
  const kinds = (events ?? []).map((event) => {
    const name = Object.keys(event).find((key) => key.endsWith('EventAttributes')) ?? '';
    return name.replace('EventAttributes', '');
  });
  return kinds.filter((kind) => kind !== '' && !kind.startsWith('workflowTask'));
}

/** The names of the activities of the newest run, in the order in which they were scheduled. */
export async function activitiesOf(workflowId: string, { temporal }: Harness): Promise<string[]> {
  const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled?.activityType?.name ? [scheduled.activityType.name] : [],
  );
}
