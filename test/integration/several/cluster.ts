import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { inject } from 'vitest';
import { type Environment, grants } from '#contract/enums.ts';
import { deliveryWorkflowId } from '#contract/workflows.ts';
import { openStore } from '#store/database/connection.ts';
import { migrate } from '#store/database/migrate.ts';
import { makeRoles } from '#store/database/roles.ts';
import { type Program, runProgram } from '#test/support/program.ts';
import { makeKey } from '#test/support/rows/keys.ts';
import { rowsIn } from '#test/support/rows/rows.ts';
import { freePort } from '#test/support/servers/free-port.ts';
import { launchRedis, redisMissing } from '#test/support/servers/redis.ts';
import { startTestTemporal } from '#test/support/servers/temporal.ts';
import { startPostgres } from '#worker/standalone/postgres/postgres.ts';

const say = () => undefined;

type KeyOptions = { org: string; environment?: Environment; rateLimit?: number };

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

type Stoppable = { stop(): Promise<void> };
type Servers = { postgres: Stoppable & { url: string }; temporal: Stoppable & { address: string } };

const startServers = async (folder: string): Promise<Servers> => {
  const [postgres, temporal] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'data'), durable: false, say }),
    startTestTemporal(folder),
  ]);
  return { postgres, temporal };
};

/**
 * Starts two API processes and, by default, two worker processes that share one Postgres, one Temporal server and, if installed, one
 * Redis. `startServersIn` starts other servers than those that live until the end.
 */
export async function startCluster({ workers: workersAtStart = 2, startServersIn = startServers } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'several-'));
  // If this runs as root, Postgres runs as another user, which must be able to enter this folder.
  chmodSync(folder, 0o711);
  const [{ postgres, temporal }, redis] = await Promise.all([
    startServersIn(folder),
    redisMissing === undefined ? launchRedis() : undefined,
  ]);
  const roleUrls = await makeRoles(postgres.url);
  await migrate(roleUrls.owner);
  const store = await openStore(postgres.url);
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, inject('receiverTls').ca);
  const shared = {
    DATABASE_URL: roleUrls.app,
    HOUSEKEEPING_DATABASE_URL: roleUrls.housekeeping,
    TEMPORAL_ADDRESS: temporal.address,
    REDIS_URL: redis?.url,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PUBLIC_URL: 'https://verify.partner-test.example',
    WEBHOOK_ALLOW_ADDRESSES: '127.0.0.1/32',
    NODE_EXTRA_CA_CERTS: caFile,
  };
  const programs: Program[] = [];
  const start = async (file: string, greeting: string, own: NodeJS.ProcessEnv, root?: string) => {
    const program = runProgram(file, { ...shared, ...own }, [], root);
    programs.push(program);
    await program.says(greeting);
    return program;
  };
  const startApi = async (own: NodeJS.ProcessEnv = {}) => {
    const port = await freePort();
    const program = await start('api/main.ts', 'API listens', { PORT: String(port), ...own });
    return { ...program, url: `http://127.0.0.1:${port}` };
  };
  /** Starts a worker of the product in this folder. */
  const startWorker = (root?: string) => start('worker/main.ts', 'worker runs', {}, root);
  const health = (part: 'api' | 'worker', own: NodeJS.ProcessEnv) =>
    runProgram('worker/commands/health.ts', { ...shared, ...own }, [part]).exited;
  const apis = [await startApi(), await startApi()] as const;
  const workers = await Promise.all(Array.from({ length: workersAtStart }, () => startWorker()));
  const connection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection });

  return {
    store,
    /** The database for its superuser. */
    databaseUrl: postgres.url,
    rows: rowsIn(store),
    apis,
    workers,
    startApi,
    startWorker,
    temporal: client,
    /** Runs a container's health check and returns its exit code. */
    health,

    key: ({ org, environment = 'sandbox', rateLimit = 100_000 }: KeyOptions) =>
      makeKey(store, { organisation: org, environment, grants: [...grants], rateLimit }),

    /** The workers that did a part of this delivery. */
    async workersOf(deliveryId: string): Promise<Program[]> {
      const { events } = await client.workflow.getHandle(deliveryWorkflowId(deliveryId)).fetchHistory();
      const identities = (events ?? []).map(
        (event) =>
          (event.activityTaskStartedEventAttributes ?? event.workflowTaskCompletedEventAttributes)?.identity,
      );
      return workers.filter(({ pid }) => identities.includes(`${pid}@${hostname()}`));
    },

    /** The worker that runs an activity of this workflow. */
    async workerAt(workflowId: string): Promise<Program | undefined> {
      const { raw } = await client.workflow.getHandle(workflowId).describe();
      const identity = raw.pendingActivities?.[0]?.lastWorkerIdentity;
      return workers.find(({ pid }) => identity === `${pid}@${hostname()}`);
    },

    async stop() {
      for (const program of programs) program.signal('SIGKILL');
      await Promise.all([...programs.map(({ exited }) => exited), connection.close(), store.close()]);
      await Promise.all([temporal.stop(), postgres.stop(), redis?.kill()]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Starts the only worker of a cluster. The result kills it. Another one starts, as a supervisor would start it, and nobody waits for it. */
export async function superviseWorker({ startWorker }: Cluster): Promise<() => Promise<void>> {
  let worker = startWorker();
  await worker;
  return async () => {
    const running = await worker;
    running.signal('SIGKILL');
    await running.exited;
    worker = startWorker();
    worker.catch(() => undefined);
  };
}
