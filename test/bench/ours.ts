import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { grants } from '#contract/enums.ts';
import { createKey } from '#services/keys/create.ts';
import { openStore } from '#store/orm.ts';
import { freePort } from '#worker/standalone/free-port.ts';
import { spawnTethered } from '#worker/standalone/tether.ts';
import { type Load, openLoop } from './load.ts';

export type Program = {
  pid: number;
  /** Creates at this rate, from outside the product's process. */
  run(load: Load): ReturnType<typeof openLoop>;
  stop(): Promise<void>;
};

type Settings = { folder: string; databaseUrl: string; temporalAddress: string; receiverUrl: string };

const main = fileURLToPath(new URL('../../worker/standalone/main.ts', import.meta.url));
const readyMsMax = 60_000;

/** The product as `npm start` runs it, on servers that are given; one organisation with one endpoint. */
export async function startOurs({ receiverUrl, ...settings }: Settings): Promise<Program> {
  const product = await startProduct(settings);
  const create = await product.partner('Bench', receiverUrl);
  return { pid: product.pid, run: (load) => openLoop(load, create), stop: product.stop };
}

/** The same without any organisation. */
export async function startProduct(settings: Omit<Settings, 'receiverUrl'>) {
  const port = await freePort();
  const product = spawnTethered({
    command: process.execPath,
    args: [main],
    logFile: join(settings.folder, 'product.log'),
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: settings.databaseUrl,
      TEMPORAL_ADDRESS: settings.temporalAddress,
      DATA_DIR: settings.folder,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8',
    },
  });
  const agent = new Agent({ pipelining: 1, keepAliveTimeout: 60_000 });
  const call = (path: string, headers: Record<string, string>, body: object) =>
    request(`http://127.0.0.1:${port}/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      dispatcher: agent,
    });
  await isReady(`http://127.0.0.1:${port}/ready`);

  return {
    pid: product.pid,
    /** An organisation with one endpoint; resolves with how it creates a verification, whose id that returns. */
    async partner(organisation: string, receiverUrl: string): Promise<() => Promise<string>> {
      const key = await newKey(settings.databaseUrl, organisation);
      const headers = { authorization: `Bearer ${key}` };
      const endpoint = await call('/webhooks', headers, { url: receiverUrl });
      if (endpoint.statusCode !== 201) throw new Error(`no endpoint: ${await endpoint.body.text()}`);
      await endpoint.body.dump();
      return async () => {
        const { statusCode, body } = await call('/verifications', headers, {});
        const answer = (await body.json()) as { id: string };
        if (statusCode !== 201) throw new Error(`status ${statusCode}`);
        return answer.id;
      };
    },
    async stop() {
      await agent.destroy();
      await product.stop('SIGTERM', 20_000);
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
  throw new Error('the product did not start; its log is product.log');
}

async function newKey(databaseUrl: string, organisation: string): Promise<string> {
  const store = await openStore(databaseUrl, 1);
  try {
    const wanted = { organisation, environment: 'sandbox', rateLimit: 1_000_000 } as const;
    const { key } = await createKey(store, {
      ...wanted,
      grants: [...grants],
    });
    return key;
  } finally {
    await store.close();
  }
}
