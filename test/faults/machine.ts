import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { migrate } from '#store/migrate.ts';
import { freePort } from '#test/support/free-port.ts';
import { forkedPart, type OrderlyPart, receiverPart } from './children.ts';
import type { Order } from './parts/points.ts';
import { type Part, postgresPart, temporalPart } from './servers.ts';
import { until } from './tools.ts';

export type Machine = {
  folder: string;
  apiUrl: string;
  databaseUrl: string;
  temporalAddress: string;
  receiverUrl: string;
  receiverLog: string;
  clientLog: string;
  api: OrderlyPart;
  worker: OrderlyPart;
  temporal: Part;
  postgres: Part;
  receiver: { order(order: Order): Promise<void>; hit(): Promise<unknown> };
  /** The file of Temporal's data, and the folder of Postgres's data. */
  temporalFile: string;
  cluster: string;
  stop(): Promise<void>;
};

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
    return { ...(await startParts(folder, started)), stop };
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
  await start(postgres, temporal);
  await migrate(postgres.url);
  const receiver = await receiverPart(folder);
  await start(receiver);
  const apiPort = await freePort();
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const env = {
    ...process.env,
    PORT: String(apiPort),
    PUBLIC_URL: 'https://verify.partner-test.example',
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    METRICS_PORT: 'off',
    WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: receiver.caFile,
    LOG_LEVEL: 'warn',
  };
  const api = forkedPart('api', folder, env);
  const worker = forkedPart('worker', folder, env);
  await start(api, worker);
  await isReady(apiUrl);
  return {
    folder,
    apiUrl,
    databaseUrl: postgres.url,
    temporalAddress: temporal.address,
    receiverUrl: receiver.url(),
    receiverLog: receiver.logFile,
    clientLog: join(folder, 'client.jsonl'),
    api,
    worker,
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
