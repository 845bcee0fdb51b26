import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from '@temporalio/worker';
import { beforeAll, expect, test } from 'vitest';
import { workflowNames } from '#contract/workflows.ts';
import { createLog } from '#platform/log.ts';
import { bundleWorkflows, type WorkflowBuild } from '#worker/bundle.ts';
import { installRuntime } from '#worker/runtime.ts';

const folder = join(import.meta.dirname, '../../histories');
const recorded = globSync('*/*.json', { cwd: folder });
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

/** A workflow may derive other ids from its own id. */
const idOf = (history: ReturnType<typeof read>): string =>
  history.events[0].workflowExecutionStartedEventAttributes.workflowId;

type Recorded = {
  events: { workflowTaskCompletedEventAttributes?: { workerVersion?: { buildId?: string } } }[];
};
const buildOf = ({ events }: Recorded) =>
  events.find((event) => event.workflowTaskCompletedEventAttributes)?.workflowTaskCompletedEventAttributes
    ?.workerVersion?.buildId;

let plain: WorkflowBuild;
let traced: WorkflowBuild;
beforeAll(async () => {
  installRuntime(createLog({ level: 'silent', format: 'json' }));
  plain = await bundleWorkflows();
  traced = await bundleWorkflows({ traced: true });
}, 60_000);

const replay = ({ bundle }: WorkflowBuild, history: ReturnType<typeof read>) =>
  Worker.runReplayHistory({ workflowBundle: bundle }, history, idOf(history));

test('there are recorded histories of every workflow', () => {
  const typeOf = (name: string) =>
    read(name).events[0].workflowExecutionStartedEventAttributes.workflowType.name;
  expect(new Set(recorded.map(typeOf))).toEqual(new Set(Object.values(workflowNames)));
});

test.each(recorded)(
  '%s is continued by the build that recorded it, and refused by every other',
  async (name) => {
    const history = read(name);
    for (const build of [plain, traced]) {
      const replayed = replay(build, history);
      if (buildOf(history) === build.buildId) await expect(replayed).resolves.toBeUndefined();
      else await expect(replayed).rejects.toThrow(/[Nn]ondeterminism|begun by another build/);
    }
  },
  30_000,
);
