import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { grants } from '#contract/enums.ts';
import { createSecrets } from '#platform/crypto.ts';
import { createKey } from '#services/keys/create.ts';
import { migrate, openStore, type Store } from '#store/orm.ts';
import { freePort } from '#worker/standalone/free-port.ts';
import { spawnTethered } from '#worker/standalone/tether.ts';
import { stops } from './programs.ts';
import type { Setting } from './setting.ts';

/** The product as it is operated: a process for the API and one for the worker, on servers that are given. */
export type Product = Awaited<ReturnType<typeof startProduct>>;
export type Partner = Awaited<ReturnType<Product['partner']>>;

const mainOf = (part: 'api' | 'worker') => fileURLToPath(new URL(`../../${part}/main.ts`, import.meta.url));
const readyMsMax = 60_000;
const stopMsMax = 20_000;

export async function startProduct({ folder, postgres, temporal, caFile }: Setting) {
  await migrate(postgres.url);
  const store = await openStore(postgres.url, 4);
  stops.push(store.close);
  const port = await freePort();
  const secretsKey = randomBytes(32);
  const env = {
    ...process.env,
    PORT: String(port),
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    SECRETS_KEY: secretsKey.toString('base64'),
    WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: caFile,
    LOG_FORMAT: 'json',
  };
  const start = async (part: 'api' | 'worker') => {
    const child = spawnTethered({
      command: process.execPath,
      args: [mainOf(part)],
      logFile: join(folder, `${part}.log`),
      env: { ...env, METRICS_PORT: String(await freePort()) },
    });
    stops.push(() => child.stop('SIGTERM', stopMsMax));
    return child.pid;
  };
  const pids = { api: await start('api'), worker: await start('worker') };
  const url = `http://127.0.0.1:${port}`;
  await isReady(`${url}/ready`);

  const agent = new Agent({ pipelining: 1, keepAliveTimeout: 60_000 });
  stops.push(() => agent.destroy());
  /** As a partner should: a 503 leaves the outcome unknown, so the same is sent again under the same key. */
  const post = async (path: string, key: string, body: object): Promise<{ id: string }> => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      'idempotency-key': randomUUID(),
    };
    const sent = { method: 'POST', headers, body: JSON.stringify(body), dispatcher: agent } as const;
    for (;;) {
      const answer = await request(`${url}/v1${path}`, sent);
      if (answer.statusCode < 300) return (await answer.body.json()) as { id: string };
      await answer.body.dump();
      if (answer.statusCode !== 503) throw new Error(`${path} answered ${answer.statusCode}`);
      await pause(Number(answer.headers['retry-after']) * 1_000);
    }
  };

  return {
    url,
    pids,
    store,
    secrets: createSecrets([secretsKey]),
    /** An organisation with an endpoint for each receiver. */
    async partner(organisation: string, urls: readonly string[]) {
      const { key, organisationId } = await newKey(store, organisation);
      const endpoints: string[] = [];
      for (const url of urls) endpoints.push((await post('/webhooks', key, { url })).id);
      return {
        key,
        organisationId,
        endpoints,
        create: async () => (await post('/verifications', key, {})).id,
        createPending: async () =>
          (await post('/verifications', key, { sandbox: { auto_complete: false } })).id,
        complete: async (id: string) => (await post(`/verifications/${id}/complete`, key, {})).id,
      };
    },
  };
}

async function isReady(url: string): Promise<void> {
  for (const deadline = Date.now() + readyMsMax; Date.now() < deadline; await pause(100)) {
    const status = await request(url).then(
      ({ statusCode, body }) => body.dump().then(() => statusCode),
      () => 0,
    );
    if (status === 200) return;
  }
  throw new Error('the product did not start');
}

/** A key whose limit is out of the way. */
export const newKey = (store: Store, organisation: string, rateLimit = 1_000_000_000) =>
  createKey(store, { organisation, environment: 'sandbox', rateLimit, grants: [...grants] });
