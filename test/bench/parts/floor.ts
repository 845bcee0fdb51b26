import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client, WithStartWorkflowOperation } from '@temporalio/client';
import { bundleWorkflowCode, type NativeConnection, Worker } from '@temporalio/worker';
import pg from 'pg';
import { Agent, request } from 'undici';
import { createLog } from '#platform/log.ts';
import { lazyConnection } from '#platform/temporal/connection.ts';
import { installRuntime } from '#worker/process/runtime.ts';
import { connectWorker } from '#worker/worker.ts';
import { generate, type Load } from './load.ts';

/**
 * A bare program with the least cost for the same guarantees. For each create it runs one update-with-start and one local activity
 * with one statement, which writes one row. The activity then starts a delivery workflow for each receiver eagerly. Each of these
 * workflows makes one POST in its one activity. There is no API and there are no checks.
 */

export type FloorSettings = { databaseUrl: string; temporalAddress: string; ca: string };
export type FloorOrder = { load: Load; urls: readonly string[] };

export type FloorActivities = ReturnType<typeof createActivities>;

const queues = { creates: 'floor-creates', deliveries: 'floor-deliveries' };
const namespace = 'default';
const deadlineMs = 10_000;

function createActivities(pool: pg.Pool, client: Client, agent: Agent) {
  return {
    async record(id: string, urls: string[]): Promise<void> {
      await pool.query('insert into floor_creates (id) values ($1)', [id]);
      const start = (url: string, number: number) =>
        client.workflow.start('floorDelivery', {
          workflowId: `floor-delivery/${id}/${number}`,
          taskQueue: queues.deliveries,
          args: [id, url],
          requestEagerStart: true,
        });
      await Promise.all(urls.map(start));
    },

    async post(id: string, url: string): Promise<void> {
      const body = JSON.stringify({ data: { verification_id: id } });
      const response = await request(url, { method: 'POST', body, dispatcher: agent });
      await response.body.dump();
    },
  };
}

async function startWorkers(connection: NativeConnection, activities: FloorActivities): Promise<void> {
  const workflowsPath = fileURLToPath(new URL('./floor-workflows.ts', import.meta.url));
  const silent = () => undefined;
  const logger = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent };
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger });
  const shared = { connection, namespace, workflowBundle, activities, maxCachedWorkflows: 1_000 };
  for (const taskQueue of Object.values(queues)) {
    const worker = await Worker.create({ ...shared, taskQueue, maxConcurrentWorkflowTaskExecutions: 100 });
    void worker.run();
  }
}

const create = (client: Client, urls: readonly string[]) => async (): Promise<string> => {
  const id = randomUUID();
  const startWorkflowOperation = new WithStartWorkflowOperation('floorCreate', {
    workflowId: `floor/${id}`,
    taskQueue: queues.creates,
    workflowIdConflictPolicy: 'USE_EXISTING',
    args: [id, urls],
  });
  return client.withDeadline(Date.now() + deadlineMs, () =>
    client.workflow.executeUpdateWithStart<never, string, unknown[]>('create', {
      updateId: 'create',
      args: [],
      startWorkflowOperation: startWorkflowOperation as WithStartWorkflowOperation<never>,
    }),
  );
};

const { databaseUrl, temporalAddress, ca }: FloorSettings = JSON.parse(process.argv[2] ?? '');
installRuntime(createLog({ level: 'warn', format: 'json' }));
const temporal = { address: temporalAddress, namespace, tls: undefined, apiKey: undefined };
const native = await connectWorker(temporal, temporalAddress);
const starter = new Client({ connection: native, namespace });
const caller = new Client({ connection: await lazyConnection(temporal, temporalAddress), namespace });
const pool = new pg.Pool({ connectionString: databaseUrl });
await pool.query('create table floor_creates (id uuid primary key, at timestamptz not null default now())');
const agent = new Agent({ pipelining: 1, connect: { ca } });
await startWorkers(native, createActivities(pool, starter, agent));

process.on('message', async ({ load, urls }: FloorOrder) => {
  process.send?.(await generate(load, create(caller, urls)));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
