import { readdirSync, readFileSync } from 'node:fs';
import { Worker } from '@temporalio/worker';
import { beforeAll, expect, test } from 'vitest';
import { createLog } from '#platform/log.ts';
import { bundleWorkflows } from '#worker/bundle.ts';
import { installRuntime } from '#worker/runtime.ts';

const folder = new URL('../../histories/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

let workflowBundle: Awaited<ReturnType<typeof bundleWorkflows>>;
let tracedBundle: typeof workflowBundle;
beforeAll(async () => {
  installRuntime(createLog({ level: 'silent', format: 'json' }));
  workflowBundle = await bundleWorkflows();
  tracedBundle = await bundleWorkflows({ traced: true });
}, 60_000);

test('there are recorded histories', () => expect(names.length).toBeGreaterThan(0));

test.each(names)(
  '%s, recorded from an earlier version, replays with the workflows of today',
  async (name) => {
    await expect(Worker.runReplayHistory({ workflowBundle }, read(name))).resolves.toBeUndefined();
  },
  30_000,
);

test.each(names)(
  '%s, recorded without traces, replays where they are collected',
  async (name) => {
    await expect(
      Worker.runReplayHistory({ workflowBundle: tracedBundle }, read(name)),
    ).resolves.toBeUndefined();
  },
  30_000,
);

test('a history that took another course does not replay', async () => {
  const name = names.find((found) => found.startsWith('delivery-')) ?? '';
  const history = read(name);
  const scheduled = history.events.find(
    ({ eventType }: { eventType: string }) => eventType === 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED',
  );
  scheduled.activityTaskScheduledEventAttributes.activityType.name = 'anotherActivity';
  await expect(Worker.runReplayHistory({ workflowBundle }, history)).rejects.toThrow(/[Nn]ondeterminism/);
}, 30_000);
