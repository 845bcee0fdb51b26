import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { request } from 'undici';
import { createSecrets } from '#platform/crypto.ts';
import { createKey } from '#services/keys/create.ts';
import { migrate, openStore } from '#store/orm.ts';
import { fillVerifications } from '#test/support/fill.ts';
import { freePort } from '#worker/standalone/free-port.ts';
import { startPostgres } from '#worker/standalone/postgres.ts';
import { spawnTethered } from '#worker/standalone/tether.ts';
import { closedLoop, type Figures, type Target } from './closed-loop.ts';
import { runBench, say, sayMachine, sayRatios, startChild, stops } from './programs.ts';

/**
 * Requests a second that read, beside a bare Koa and pg program that reads one row by its primary key:
 * node test/bench/read.ts [--rows 1000000] [--rounds 5] [--seconds 4] [--only get,list]
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
  },
});
const rows = Number(values.rows);
const connections = 20;
const pageLength = 20;
const deepPage = 1_000;

type Setting = { targets: Record<string, Target> };

async function setUp(): Promise<Setting> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-read-'));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  // As root, Postgres runs as another user, who must be able to enter.
  await chmod(folder, 0o711);
  const postgres = await startPostgres({ dataDir: join(folder, 'servers'), durable: true, say });
  stops.push(postgres.stop);
  await migrate(postgres.url);
  const secretsKey = randomBytes(32);
  const { ids, key, exhaustedKey } = await furnish(postgres.url, secretsKey);
  const api = await startApi(folder, postgres.url, secretsKey);
  const { child: floor, ready: floorPort } = await startChild('./read-floor.ts', [postgres.url, ids.some]);
  const headers = { authorization: `Bearer ${key}` };
  const ours = (path: string) => ({
    url: `${api.url}/v1/verifications${path}`,
    headers,
    statuses: [200],
    pid: api.pid,
  });
  const limited = { ...ours(`/${ids.some}`), headers: { authorization: `Bearer ${exhaustedKey}` } };
  await request(limited.url, limited).then(({ body }) => body.dump());
  const call = { name: 'get_verification', arguments: { verification_id: ids.some } };
  const agent = {
    url: `${api.url}/mcp`,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    statuses: [200],
    pid: api.pid,
  };
  return {
    targets: {
      floor: { url: `http://127.0.0.1:${floorPort}`, statuses: [200], pid: floor.pid ?? 0 },
      get: ours(`/${ids.some}`),
      'agent get': agent,
      list: ours(`?limit=${pageLength}`),
      'list, page 1,000': ours(`?limit=${pageLength}&starting_after=${ids.deep}`),
      // One in a minute is let through.
      429: { ...limited, statuses: [200, 429] },
    },
  };
}

/** Most rows are of the organisation that asks; a tenth is of another, between them. */
async function furnish(databaseUrl: string, secretsKey: Buffer) {
  const store = await openStore(databaseUrl, 2);
  try {
    const wanted = { organisation: 'Bench', environment: 'sandbox', grants: ['verify:read'] } as const;
    const make = (rateLimit: number, organisation = 'Bench') =>
      createKey(store, { ...wanted, organisation, grants: [...wanted.grants], rateLimit });
    const [mine, exhausted, other] = [await make(1_000_000_000), await make(1), await make(1, 'Other')];
    say(`Filling ${rows.toLocaleString('en')} rows`);
    const secrets = createSecrets([secretsKey]);
    const steps = 20;
    for (let step = 0; step < steps; step++)
      for (const [orgId, share] of [
        [mine.organisationId, 0.9],
        [other.organisationId, 0.1],
      ] as const) {
        // One statement of a million rows would be cut off by the time-out of a statement.
        for (let left = Math.ceil((rows / steps) * share); left > 0; left -= 5_000)
          await fillVerifications(
            { store, secrets },
            { orgId, environment: 'sandbox', count: Math.min(left, 5_000) },
          );
      }
    await sql`set statement_timeout = 0`.execute(store.db);
    await sql`analyze verifications`.execute(store.db);
    const idAt = async (offset: number) => {
      const { rows: found } = await sql<{ id: string }>`
        select id from verifications where org_id = ${mine.organisationId} and environment = 'sandbox'
        order by created_at desc, id desc offset ${offset} limit 1`.execute(store.db);
      return found[0]?.id ?? '';
    };
    const ids = { some: await idAt(Math.floor(rows / 3)), deep: await idAt((deepPage - 1) * pageLength - 1) };
    return { ids, key: mine.key, exhaustedKey: exhausted.key };
  } finally {
    await store.close();
  }
}

/** The API process as it is operated. Reading needs no Temporal, so there is none. */
async function startApi(folder: string, databaseUrl: string, secretsKey: Buffer) {
  const port = await freePort();
  const api = spawnTethered({
    command: process.execPath,
    args: [fileURLToPath(new URL('../../api/main.ts', import.meta.url))],
    logFile: join(folder, 'api.log'),
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      SECRETS_KEY: secretsKey.toString('base64'),
    },
  });
  stops.push(() => api.stop('SIGTERM', 20_000));
  const url = `http://127.0.0.1:${port}`;
  for (const until = Date.now() + 30_000; Date.now() < until; ) {
    const alive = await request(`${url}/v1/health`).then(
      ({ body }) => body.dump().then(() => true),
      () => new Promise((resolve) => setTimeout(() => resolve(false), 100)),
    );
    if (alive) return { url, pid: api.pid };
  }
  throw new Error('the API did not start');
}

async function measure(): Promise<void> {
  sayMachine();
  const { targets: all } = await setUp();
  const wanted = values.only.split(',').filter(Boolean);
  const targets = Object.fromEntries(
    Object.entries(all).filter(([name]) => wanted.length === 0 || wanted.includes(name)),
  );
  const load = { connections, seconds: Number(values.seconds) };
  for (const target of Object.values(targets)) await closedLoop(target, { ...load, seconds: 2 });
  say(
    `warm; ${values.rounds} rounds of ${values.seconds} s each, ${connections} connections, requests a second (and microseconds of processor for each):`,
  );
  const rounds: Record<string, Figures>[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const figures: Record<string, Figures> = {};
    for (const [name, target] of Object.entries(targets)) figures[name] = await closedLoop(target, load);
    rounds.push(figures);
    say(
      Object.entries(figures)
        .map(
          ([name, { perSecond, processorMicros }]) =>
            `${name} ${perSecond.toFixed(0)} (${processorMicros?.toFixed(0) ?? '?'})`,
        )
        .join('   '),
    );
  }
  const against = (name: string, other: string) => {
    if (targets[name] === undefined || targets[other] === undefined) return;
    const of = (what: keyof Figures) =>
      rounds.map((figures) => (figures[name]?.[what] ?? 0) / (figures[other]?.[what] ?? 0));
    sayRatios(`${name} / ${other}, requests a second`, of('perSecond'));
    sayRatios(`${name} / ${other}, processor for each`, of('processorMicros'));
  };
  against('get', 'floor');
  against('agent get', 'get');
  against('list', 'floor');
  against('list', 'list, page 1,000');
  against('429', 'get');
  sayMachine();
}

await runBench(measure);
