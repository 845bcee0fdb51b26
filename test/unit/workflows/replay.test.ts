import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { workflowNames } from '#contract/workflows.ts';
import { createLog } from '#platform/log.ts';
import { bundleWorkflows, type WorkflowBuild } from '#worker/bundle.ts';
import { installRuntime } from '#worker/process/runtime.ts';
import { SandboxedWorker as Worker } from '#worker/sandbox/worker.ts';

const folder = join(import.meta.dirname, '../../histories');
const recorded = globSync('*/*.json', { cwd: folder });
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

/** A workflow may derive other ids from its own id. */
const idOf = (history: ReturnType<typeof read>): string =>
  history.events[0].workflowExecutionStartedEventAttributes.workflowId;

const runOf = (history: ReturnType<typeof read>): string =>
  history.events[0].workflowExecutionStartedEventAttributes.originalExecutionRunId;

type Recorded = {
  events: { workflowTaskCompletedEventAttributes?: { workerVersion?: { buildId?: string } } }[];
};
const buildOf = ({ events }: Recorded) =>
  events.find((event) => event.workflowTaskCompletedEventAttributes)?.workflowTaskCompletedEventAttributes
    ?.workerVersion?.buildId;

/** The runs of all histories with one build, by the id of the run. Undefined for a run that the build continued. */
type Replays = { build: WorkflowBuild; errors: Map<string, Error | undefined> };
let replays: Replays[];
beforeAll(async () => {
  installRuntime(createLog({ level: 'silent', format: 'json' }));
  replays = [];
  for (const build of [await bundleWorkflows(), await bundleWorkflows({ traced: true })])
    replays.push({ build, errors: await replayAll(build) });
}, 60_000);

/** One worker replays all histories, since the start of a worker takes longer than a replay. */
async function replayAll({ bundle }: WorkflowBuild): Promise<Replays['errors']> {
  const histories = recorded.map(read).map((history) => ({ workflowId: idOf(history), history }));
  const errors: Replays['errors'] = new Map();
  for await (const { runId, error } of Worker.runReplayHistories({ workflowBundle: bundle }, histories))
    errors.set(runId, error);
  return errors;
}

test('every history is of a run of its own, and was replayed', () => {
  const runs = recorded.map((name) => runOf(read(name)));
  expect(new Set(runs).size).toBe(recorded.length);
  for (const { errors } of replays) expect([...errors.keys()].sort()).toEqual(runs.sort());
});

test('there are recorded histories of every workflow', () => {
  const typeOf = (name: string) =>
    read(name).events[0].workflowExecutionStartedEventAttributes.workflowType.name;
  expect(new Set(recorded.map(typeOf))).toEqual(new Set(Object.values(workflowNames)));
});

test.each(recorded)('%s is continued by the build that recorded it, and refused by every other', (name) => {
  const history = read(name);
  for (const { build, errors } of replays) {
    const error = errors.get(runOf(history));
    if (buildOf(history) === build.buildId) expect(error).toBeUndefined();
    else expect(error?.message).toMatch(/[Nn]ondeterminism|begun by another build/);
  }
});
