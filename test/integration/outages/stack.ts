import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { Agent, request } from 'undici';
import { expect, inject, vi } from 'vitest';
import { grants } from '#contract/enums.ts';
import { errors } from '#contract/errors.ts';
import { openStore } from '#store/database/connection.ts';
import { migrate } from '#store/database/migrate.ts';
import { makeRoles } from '#store/database/roles.ts';
import { expectDescribed } from '#test/support/documents/described.ts';
import { startReceiver } from '#test/support/people/receiver.ts';
import { type Program, runProgram } from '#test/support/program.ts';
import { makeKey } from '#test/support/rows/keys.ts';
import { rowsIn } from '#test/support/rows/rows.ts';
import { keepLogs } from '#test/support/run-logs.ts';
import { freePort } from '#test/support/servers/free-port.ts';
import { startProxy } from '#test/support/servers/proxy.ts';
import { startTestTemporal } from '#test/support/servers/temporal.ts';
import { startPostgres } from '#worker/standalone/postgres/postgres.ts';

const secretsKey = Buffer.alloc(32, 7).toString('base64');
const say = () => undefined;

export type Stack = Awaited<ReturnType<typeof startStack>>;

/**
 * Starts the product as in production, with a partner and its receiver. Postgres, Temporal, `node api/main.ts` and `node
 * worker/main.ts` are processes of this stack alone. The product reaches Postgres through a proxy, and the test connects directly.
 */
export const startStack = (...replies: Parameters<typeof startReceiver>) => startStackWith({}, ...replies);

type Env = NodeJS.ProcessEnv;
/** The variables of both processes, or a function that makes them when Temporal runs at this address. */
type Given = Env | ((temporalAddress: string) => Promise<Env>);

/** Starts the same stack, with these variables for both processes. */
export async function startStackWith(given: Given, ...replies: Parameters<typeof startReceiver>) {
  const folder = mkdtempSync(join(tmpdir(), 'outage-'));
  chmodSync(folder, 0o711);
  const [postgres, temporal] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'data'), durable: false, say }),
    startTestTemporal(folder),
  ]);
  const env = typeof given === 'function' ? await given(temporal.address) : given;
  const roleUrls = await makeRoles(postgres.url);
  await migrate(roleUrls.owner);
  const store = await openStore(postgres.url);
  const rows = rowsIn(store);
  const { key } = await makeKey(store, {
    organisation: 'Acme',
    environment: 'sandbox',
    grants: [...grants],
    rateLimit: 100_000,
  });

  const database = await startProxy(postgres.port);
  const proxied = (roleUrl: string) => Object.assign(new URL(roleUrl), { port: database.port }).toString();
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, inject('receiverTls').ca);
  const [port, ...metricsPorts] = await Promise.all([freePort(), freePort(), freePort()]);
  const metrics = { 'api/main.ts': metricsPorts[0], 'worker/main.ts': metricsPorts[1] };
  const url = `http://127.0.0.1:${port}`;
  const programs: Program[] = [];
  const start = (file: keyof typeof metrics) => {
    const program = runProgram(file, {
      DATABASE_URL: proxied(roleUrls.app),
      HOUSEKEEPING_DATABASE_URL: proxied(roleUrls.housekeeping),
      TEMPORAL_ADDRESS: temporal.address,
      SECRETS_KEY: secretsKey,
      WEBHOOK_ALLOW_ADDRESSES: '127.0.0.1/32',
      NODE_EXTRA_CA_CERTS: caFile,
      PORT: String(port),
      METRICS_PORT: String(metrics[file]),
      CONSOLE_PORT: 'off',
      ...env,
    });
    programs.push(program);
    return program;
  };
  const startApi = async () => {
    const api = start('api/main.ts');
    await api.says('API listens');
    return api;
  };
  const startWorker = async () => {
    const worker = start('worker/main.ts');
    await worker.says('worker runs');
    return worker;
  };
  const [api, worker] = await Promise.all([startApi(), startWorker()]);
  const receiver = await startReceiver(...replies);
  const partner = partnerOf(url, key);
  expect((await partner.post('/v1/webhooks', { url: receiver.url })).status).toBe(201);

  return {
    url,
    /** The addresses of the metrics of each process. */
    metricsUrls: {
      api: `http://127.0.0.1:${metrics['api/main.ts']}/metrics`,
      worker: `http://127.0.0.1:${metrics['worker/main.ts']}/metrics`,
    },
    key,
    postgres,
    temporal,
    database,
    store,
    rows,
    api,
    worker,
    receiver,
    startApi,
    startWorker,
    ...partner,

    /** Repeats the request of each key until it succeeds. Each key must have one verification, whose one event arrives in time. */
    async expectOneEach(idempotencyKeys: string[]): Promise<void> {
      const created = await Promise.all(idempotencyKeys.map(partner.createUntilAnswered));
      const ids = created.map(({ json }) => json.id as string);
      const found = await rows<{ id: string; reference: string }>`
        select id, reference from verifications where reference in (${sql.join(idempotencyKeys)})`;
      expect(found.map(({ reference, id }) => [reference, id]).sort()).toEqual(
        idempotencyKeys.map((reference, i) => [reference, ids[i]]).sort(),
      );
      const eventsOf = (id: string) =>
        new Set(
          receiver.received
            .map(({ body }) => JSON.parse(body.toString()))
            .filter(({ data }) => data.verification_id === id)
            .map((event) => event.id),
        );
      const missing = () => ids.filter((id) => eventsOf(id).size === 0);
      await vi.waitFor(() => expect(missing()).toEqual([]), { timeout: 40_000, interval: 100 });
      expect(ids.filter((id) => eventsOf(id).size !== 1)).toEqual([]);
    },

    /** Requests must be answered quickly, and no connection to the database may stay in a transaction. */
    async expectHealthy(): Promise<void> {
      const isReady = async () => expect((await partner.get('/ready')).status).toBe(200);
      await vi.waitFor(isReady, { timeout: 5_000 });
      const burst = await Promise.all(partner.createMany(20).answers);
      expect(burst.map(({ status }) => status)).toEqual(Array(20).fill(201));
      expect((await partner.create()).ms).toBeLessThan(2_000);
      const noneStuck = async () => {
        const stuck = await rows`
          select state, query from pg_stat_activity
          where state like 'idle in transaction%' and state_change < now() - interval '1 s'`;
        expect(stuck).toEqual([]);
      };
      await vi.waitFor(noneStuck, { timeout: 5_000 });
    },

    async stop() {
      for (const program of programs) program.signal('SIGKILL');
      await Promise.all([...programs.map(({ exited }) => exited), receiver.stop(), store.close()]);
      database.stop();
      await Promise.all([temporal.stop(), postgres.stop()]);
      keepLogs(folder);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

export type Answer = Awaited<ReturnType<ReturnType<typeof partnerOf>['create']>>;

/** Each request has a new connection. If the server closed an idle one, a request on it would seem to have no answer. */
const dispatcher = new Agent({ pipelining: 0 });

/** A partner's client, which measures how long each answer takes. */
function partnerOf(url: string, key: string) {
  const send = async (method: 'GET' | 'POST', path: string, body?: object, headers = {}) => {
    const startedAt = performance.now();
    const response = await request(url + path, {
      method,
      dispatcher,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects; a wrong shape fails its assertion
    const json = (await response.body.json()) as any;
    const ms = performance.now() - startedAt;
    expectDescribed(method, path, { status: response.statusCode, headers: response.headers, json });
    return { status: response.statusCode, retryAfter: response.headers['retry-after'], json, ms };
  };
  const create = (idempotencyKey: string = randomUUID()) =>
    send('POST', '/v1/verifications', { reference: idempotencyKey }, { 'idempotency-key': idempotencyKey });

  return {
    post: (path: string, body: object) => send('POST', path, body),
    get: (path: string) => send('GET', path),
    create,
    /** Creates this many verifications at once, each with its own idempotency key. */
    createMany: (count: number) => {
      const keys = Array.from({ length: count }, () => randomUUID());
      return { keys, answers: keys.map((each) => create(each)) };
    },

    async createUntilAnswered(idempotencyKey: string) {
      for (const until = Date.now() + 20_000; ; await pause(200)) {
        const answer = await create(idempotencyKey);
        if (answer.status === 201) return answer;
        if (answer.status !== 503 || Date.now() > until)
          throw new Error(`the answer stays ${answer.status}: ${JSON.stringify(answer.json)}`);
      }
    },
  };
}

const deadlineMs = 10_000;
const marginMs = 1_000;

/** Every answer must come within the deadline. It is a success, or a 503 with its message and Retry-After. */
export function expectAnswersInTime(answers: Answer[]): void {
  const { message } = errors.service_unavailable;
  for (const { status, json, ms, retryAfter } of answers) {
    expect(ms).toBeLessThan(deadlineMs + marginMs);
    if (status < 300) continue;
    expect({ status, error: json.error }).toMatchObject({
      status: 503,
      error: { code: 'service_unavailable', message },
    });
    expect(Number(retryAfter)).toBeGreaterThan(0);
  }
}
