import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { type Environment, grants } from '#contract/enums.ts';
import { createSecrets } from '#platform/crypto/crypto.ts';
import { openStore, type Store } from '#store/database/connection.ts';
import { migrate } from '#store/database/migrate.ts';
import { makeKey } from '#test/support/rows/keys.ts';
import { freePort } from '#test/support/servers/free-port.ts';
import { spawnChild } from '#worker/standalone/child-process.ts';
import { stops } from './programs.ts';
import type { Setting } from './setting.ts';

/** The product as in production: one process for the API and one for the worker, on the given servers. */
export type Product = Awaited<ReturnType<typeof startProduct>>;
export type Partner = Awaited<ReturnType<Product['partner']>>;

const ownRoot = fileURLToPath(new URL('../../..', import.meta.url));
const readyMsMax = 60_000;
const stopMsMax = 20_000;

export async function startProduct({ folder, postgres, temporal, caFile }: Setting) {
  await migrate(postgres.url);
  const store = await openStore(postgres.url, 4);
  stops.push(store.close);
  const secretsKey = Buffer.alloc(32, 7);
  const { url, pids } = await startProcesses({
    root: ownRoot,
    folder,
    parts: ['api', 'worker'],
    env: {
      DATABASE_URL: postgres.url,
      TEMPORAL_ADDRESS: temporal.address,
      SECRETS_KEY: secretsKey.toString('base64'),
      NODE_EXTRA_CA_CERTS: caFile,
    },
  });

  return {
    url,
    pids,
    store,
    secrets: createSecrets([secretsKey]),
    async partner(organisation: string, urls: readonly string[], environment: Environment = 'sandbox') {
      const { key, organisationId } = await newKey(store, organisation, { environment });
      return { organisationId, ...(await partnerOf(url, key, urls)) };
    },
  };
}

export type Part = 'api' | 'worker';
export type Processes = Awaited<ReturnType<typeof startProcesses>>;

/** Starts processes of the product of any checkout. The API is ready when this resolves. */
export async function startProcesses<Parts extends Part>({
  root,
  folder,
  parts,
  env,
}: {
  root: string;
  folder: string;
  parts: readonly Parts[];
  env: NodeJS.ProcessEnv;
}) {
  const port = await freePort();
  const start = async (part: Part) => {
    const child = spawnChild({
      command: process.execPath,
      args: [join(root, part, 'main.ts')],
      logFile: join(folder, `${part}.log`),
      env: {
        ...process.env,
        PORT: String(port),
        METRICS_PORT: String(await freePort()),
        CONSOLE_PORT: 'off',
        WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8',
        LOG_FORMAT: 'json',
        ...env,
      },
    });
    const stop = () => child.stop('SIGTERM', stopMsMax);
    stops.push(stop);
    return { pid: child.pid, stop };
  };
  const started: Partial<Record<Part, Awaited<ReturnType<typeof start>>>> = {};
  for (const part of parts) started[part] = await start(part);
  const url = `http://127.0.0.1:${port}`;
  await isReady(`${url}/ready`);
  return {
    url,
    pids: Object.fromEntries(Object.entries(started).map(([part, { pid }]) => [part, pid])) as Record<
      Parts,
      number
    >,
    stop: () => Promise.all(Object.values(started).map(({ stop }) => stop())),
  };
}

export async function partnerOf(url: string, key: string, receivers: readonly string[]) {
  const post = posterTo(url);
  const endpoints: string[] = [];
  for (const receiver of receivers) endpoints.push((await post('/webhooks', key, { url: receiver })).id);
  return {
    key,
    endpoints,
    create: async () => (await post('/verifications', key, {})).id,
    /** Creates a verification that a person must complete, and returns the link. */
    invite: async (method = 'document_only') => (await post('/verifications', key, { method })).verify_url,
    createPending: async () => (await post('/verifications', key, { sandbox: { auto_complete: false } })).id,
    complete: async (id: string) => (await post(`/verifications/${id}/complete`, key, {})).id,
  };
}

type Answered = { id: string; verify_url: string };

/** Acts as a partner should: after a 503 the outcome is unknown, so the same request is sent again with the same key. */
function posterTo(url: string) {
  const agent = new Agent({ pipelining: 1, keepAliveTimeout: 60_000 });
  stops.push(() => agent.destroy());
  return async (path: string, key: string, body: object): Promise<Answered> => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      'idempotency-key': randomUUID(),
    };
    const sent = { method: 'POST', headers, body: JSON.stringify(body), dispatcher: agent } as const;
    for (;;) {
      const answer = await request(`${url}/v1${path}`, sent);
      if (answer.statusCode < 300) return (await answer.body.json()) as Answered;
      await answer.body.dump();
      if (answer.statusCode !== 503) throw new Error(`${path} answered ${answer.statusCode}`);
      await pause(Number(answer.headers['retry-after']) * 1_000);
    }
  };
}

/** Resolves when the product at this address answers that it is ready. */
export async function isReady(url: string): Promise<void> {
  for (const deadline = Date.now() + readyMsMax; Date.now() < deadline; await pause(100)) {
    const status = await request(url).then(
      ({ statusCode, body }) => body.dump().then(() => statusCode),
      () => 0,
    );
    if (status === 200) return;
  }
  throw new Error('the product did not start');
}

/** By default, the rate limit of the key is so high that no bench reaches it. */
export const newKey = (
  store: Store,
  organisation: string,
  {
    environment = 'sandbox',
    rateLimit = 1_000_000_000,
  }: { environment?: Environment; rateLimit?: number } = {},
) => makeKey(store, { organisation, environment, rateLimit, grants: [...grants] });
