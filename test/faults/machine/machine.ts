import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { migrate } from '#store/database/migrate.ts';
import { freePort } from '#test/support/servers/free-port.ts';
import type { Order } from '../parts/points.ts';
import { forkedPart, type OrderlyPart, receiverPart } from './children.ts';
import { type Links, startLinks, through } from './network.ts';
import { type Part, postgresPart, redisPart, temporalPart } from './servers.ts';
import { until } from './tools.ts';

/** The parts use each other through links, which can be broken. The test uses the servers directly. */
export type Machine = {
  folder: string;
  /** The address of the API for partners and persons. */
  apiUrl: string;
  databaseUrl: string;
  temporalAddress: string;
  receiverUrl: string;
  receiverLog: string;
  clientLog: string;
  secretsKey: string;
  links: Links;
  api: OrderlyPart;
  worker: OrderlyPart;
  /** A further worker, which uses its servers directly. It runs only in rounds that start it. */
  secondWorker: OrderlyPart;
  temporal: Part;
  postgres: Part;
  receiver: { order(order: Order): Promise<void>; hit(): Promise<unknown> };
  /** The file of Temporal's data, and the folder of Postgres's data. */
  temporalFile: string;
  cluster: string;
  stop(): Promise<void>;
};

const secretsKey = Buffer.alloc(32, 7).toString('base64');

/** Starts all parts on their own ports. All files that they write are in one new folder. */
export async function startMachine(): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), 'verification-faults-'));
  // If this runs as root, Postgres runs as another user, which must be able to enter this folder.
  await chmod(folder, 0o711);
  const started: Part[] = [];
  const stop = async () => {
    for (const part of started) part.signal('SIGKILL');
    await Promise.all(started.map((part) => part.gone()));
    // Backends of a killed Postgres end a moment later and write until then.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  try {
    const parts = await startParts(folder, started);
    const stopAll = async () => {
      for (const { proxy } of Object.values(parts.links)) proxy.stop();
      await stop();
    };
    return { ...parts, stop: stopAll };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(folder: string, started: Part[]): Promise<Omit<Machine, 'stop'>> {
  const start = async (...parts: Part[]) => {
    started.push(...parts);
    await Promise.all(parts.map((part) => part.start()));
  };
  const postgres = await postgresPart(folder);
  const temporal = await temporalPart(folder);
  const redis = await redisPart(folder);
  const receiver = await receiverPart(folder);
  await start(postgres, temporal, redis, receiver);
  await migrate(postgres.url);

  const apiPort = await freePort();
  const links = await startLinks({
    api: apiPort,
    postgres: Number(new URL(postgres.url).port),
    temporal: temporal.port,
    redis: redis.port,
    receiver: receiver.port(),
  });
  const shared = {
    ...process.env,
    PORT: String(apiPort),
    PUBLIC_URL: 'https://verify.partner-test.example',
    SECRETS_KEY: secretsKey,
    METRICS_PORT: 'off',
    CONSOLE_PORT: 'off',
    WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: receiver.caFile,
    LOG_LEVEL: 'warn',
    // One attempt at a time, so that first attempts wait in the queues of their endpoints.
    WEBHOOK_ATTEMPTS_PER_ENDPOINT: '1',
  };
  const linkedTo = (part: 'api' | 'worker') => ({
    ...shared,
    DATABASE_URL: through(postgres.url, links[`${part} and postgres`]),
    TEMPORAL_ADDRESS: `127.0.0.1:${links[`${part} and temporal`].proxy.port}`,
    REDIS_URL: redis.isInstalled ? `redis://127.0.0.1:${links['api and redis'].proxy.port}` : '',
  });
  const api = forkedPart('api', folder, linkedTo('api'));
  const worker = forkedPart('worker', folder, linkedTo('worker'));
  const secondWorker = forkedPart('worker', folder, {
    ...shared,
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
  });
  await start(api, worker);
  started.push(secondWorker);
  await isReady(`http://127.0.0.1:${apiPort}`);
  return {
    folder,
    apiUrl: `http://127.0.0.1:${links['partner and api'].proxy.port}`,
    databaseUrl: postgres.url,
    temporalAddress: temporal.address,
    receiverUrl: `https://localhost:${links['worker and receiver'].proxy.port}`,
    receiverLog: receiver.logFile,
    clientLog: join(folder, 'client.jsonl'),
    secretsKey,
    links,
    api,
    worker,
    secondWorker,
    temporal,
    postgres,
    receiver,
    temporalFile: temporal.dbFile,
    cluster: postgres.cluster,
  };
}

async function isReady(apiUrl: string): Promise<void> {
  await until('the API answers /ready', async () => {
    const { statusCode, body } = await request(`${apiUrl}/ready`);
    await body.dump();
    return statusCode === 200;
  });
}
