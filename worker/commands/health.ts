import { hostname } from 'node:os';
import { taskQueues } from '#contract/workflows.ts';
import { type Config, readConfig, requireExternal } from '#platform/config.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { exitWith } from '#platform/process.ts';
import { lazyConnection } from '#platform/temporal-connection.ts';

const usage = 'Usage: node worker/commands/health.ts api|worker';
const timeoutMs = 5_000;

/** A worker asks for work at least once a minute. */
const silentMsMax = 90_000;
const ofActivities = 2;

/** For a container's health check: does the process beside this one do its work? Exit code 0 when it does, 1 otherwise. */
async function main(): Promise<number> {
  const part = process.argv[2];
  const config = readConfig(process.env);
  if (part === 'api') return (await apiAnswers(config)) ? 0 : 1;
  if (part === 'worker') return (await workerPolls(config)) ? 0 : 1;
  throw new StartFault(usage, exitCodes.usage);
}

async function apiAnswers({ port }: Config): Promise<boolean> {
  const signal = AbortSignal.timeout(timeoutMs);
  return fetch(`http://127.0.0.1:${port}/v1/health`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Whether the worker of this host has asked Temporal for work on every queue of late. */
async function workerPolls(config: Config): Promise<boolean> {
  const { temporalAddress } = requireExternal(config);
  const { namespace } = config.temporal;
  const connection = await lazyConnection(config.temporal, temporalAddress);
  try {
    const lastAsked = await connection.withDeadline(Date.now() + timeoutMs, () =>
      Promise.all(Object.values(taskQueues).map((queue) => lastAskedAt(queue))),
    );
    return lastAsked.every((at) => Date.now() - at < silentMsMax);
  } catch {
    return false;
  } finally {
    await connection.close();
  }

  async function lastAskedAt(name: string): Promise<number> {
    const { pollers } = await connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name },
      taskQueueType: ofActivities,
    });
    const ours = (pollers ?? []).filter(({ identity }) => identity?.endsWith(`@${hostname()}`));
    return Math.max(0, ...ours.map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000));
  }
}

await main().then((code) => process.exit(code), exitWith);
