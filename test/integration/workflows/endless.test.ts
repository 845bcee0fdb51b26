import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, NativeConnection } from '@temporalio/worker';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { SandboxedWorker } from '#worker/sandbox/worker.ts';
import { atTheEnd } from '../../support/at-the-end.ts';
// It installs the runtime of Temporal's SDK, of which a process has one.
import '../../support/harness.ts';

/** A worker of its own runs workflows that never end by themselves, with a limit of half a second for each activation. */
const taskQueue = `endless-${randomUUID()}`;
let client: Client;

beforeAll(async () => {
  const address = inject('temporalAddress');
  const workflowsPath = fileURLToPath(new URL('../../support/workflows/endless.ts', import.meta.url));
  const connection = await NativeConnection.connect({ address });
  const worker = await SandboxedWorker.create({
    connection,
    taskQueue,
    workflowBundle: await bundleWorkflowCode({ workflowsPath }),
    workflowThreadPoolSize: 1,
    // The SDK has this option, but not in its types.
    ...{ isolateExecutionTimeout: '500ms' },
  });
  const run = worker.run();
  client = new Client({ connection: await Connection.connect({ address }) });
  atTheEnd(async () => {
    worker.shutdown();
    await run;
    await client.connection.close();
    await connection.close();
  });
});

const start = (type: string, forEver: boolean) =>
  client.workflow.start(type, {
    taskQueue,
    workflowId: randomUUID(),
    args: [forEver],
    memo: { loopsEarlier: forEver && type === 'loopsEarlier' },
    workflowTaskTimeout: '5s',
  });

describe.each(['loops', 'loopsLater', 'loopsEarlier'])('%s', (type) => {
  test('a workflow that never waits fails its task, and others go on in the same thread', async () => {
    const endless = await start(type, true);
    await expect
      .poll(async () => failuresOf(await endless.fetchHistory()))
      .toContain('Script execution timed out after 500ms');
    expect(await (await start(type, false)).result()).toBe('done');
    await endless.terminate();
  });
});

test('the query for the call stack says that there is none', async () => {
  const handle = await start('loops', false);
  await handle.result();
  await expect(handle.query('__stack_trace')).rejects.toThrow('not enabled');
});

type History = Awaited<ReturnType<Awaited<ReturnType<typeof start>>['fetchHistory']>>;

const failuresOf = ({ events }: History) =>
  (events ?? []).map((event) => event.workflowTaskFailedEventAttributes?.failure?.message);
