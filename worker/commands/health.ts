import { hostname } from 'node:os';
import { taskQueues } from '#contract/workflows.ts';
import { type Config, readConfig, requireExternal } from '#platform/config/config.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { exitWith } from '#platform/process.ts';
import { lazyConnection } from '#platform/temporal/connection.ts';

const usage = 'Usage: node worker/commands/health.ts api|worker';
const timeoutMs = 5_000;

/** At least once a minute, an idle worker polls each queue. So a silence of 90 seconds counts as a fault. */
const silentMsMax = 90_000;
/** The value of TASK_QUEUE_TYPE_ACTIVITY in the API of Temporal. */
const activityQueues = 2;

/**
 * The health check of a container. The exit code is 0 if the API answers with success or the worker polls for tasks, and 1 if not.
 */
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

/** True if the worker on this host has polled every queue recently. */
async function workerPolls(config: Config): Promise<boolean> {
  const { temporalAddress } = requireExternal(config);
  const { namespace } = config.temporal;
  const connection = await lazyConnection(config.temporal, temporalAddress);
  try {
    const lastPolls = await connection.withDeadline(Date.now() + timeoutMs, () =>
      Promise.all(Object.values(taskQueues).map((queue) => lastPollAt(queue))),
    );
    return lastPolls.every((at) => Date.now() - at < silentMsMax);
  } catch {
    return false;
  } finally {
    await connection.close();
  }

  async function lastPollAt(name: string): Promise<number> {
    const { pollers } = await connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name },
      taskQueueType: activityQueues,
    });
    const ours = (pollers ?? []).filter(({ identity }) => identity?.endsWith(`@${hostname()}`));
    return Math.max(0, ...ours.map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000));
  }
}

await main().then((code) => process.exit(code), exitWith);
