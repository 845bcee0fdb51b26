import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { grants } from '#contract/enums.ts';
import { expiring } from '#contract/workflows.ts';
import { scopeOfKey } from '#store/database/scope.ts';
import { eidContractOf } from '#store/organisations/eid-contracts.ts';
import { rules } from '#test/support/documents/alerts.ts';
import { call } from '#test/support/harness.ts';
import { callTool } from '#test/support/people/agent.ts';
import { newVisitor } from '#test/support/people/console.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { makeKey } from '#test/support/rows/keys.ts';
import { freePort } from '#test/support/servers/free-port.ts';
import { startStackWith } from '../outages/stack.ts';
import { scrape } from './page.ts';

type Page = Awaited<ReturnType<typeof scrape>>;

/** Planted in texts that callers send. An id or a key needs no marker, since its form shows what it is. */
const marker = 'kanarie';
const creates = 30;
/** Besides the thirty there are three: the first, the repeated one, and the one that a person completes. */
const deliveries = creates + 3;

const release = Promise.withResolvers<void>();
/** The first answer is an error. All other answers wait, so that the endpoint reaches its limit of attempts at once. */
const replies = [
  { status: 500 },
  ...Array.from({ length: creates }, () => ({ status: 200, until: release.promise })),
];
const ledgerDir = mkdtempSync(join(tmpdir(), 'ledger-'));
const consolePort = await freePort();
const stack = await startStackWith(
  {
    CONSOLE_PORT: String(consolePort),
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
    LEDGER_KEY: Buffer.alloc(32, 21).toString('base64'),
    LEDGER_DIR: ledgerDir,
  },
  ...replies,
);
afterAll(async () => {
  await stack.stop();
  rmSync(ledgerDir, { recursive: true });
});

let api: Page;
let worker: Page;

beforeAll(async () => {
  const { key: slow, organisationId: orgId } = await makeKey(stack.store, {
    organisation: 'Acme',
    environment: 'sandbox',
    grants: [...grants],
    rateLimit: 1,
  });
  const contract = { value: Buffer.alloc(32), certificateEndsAt: new Date(), simulated: false };
  await eidContractOf(scopeOfKey({ orgId, environment: 'live' }), stack.store.db)
    .set(contract, [])
    .execute();
  const get = (path: string, key: string) =>
    request(`${stack.url}${path}`, { headers: { authorization: `Bearer ${key}` } }).then(({ body }) =>
      body.dump(),
    );
  // The person comes first: the receiver holds the deliveries that follow, and no create waits for the document.
  await walk();
  const { id } = (await stack.create()).json;
  await Promise.all(Array.from({ length: creates }, () => stack.create()));
  const repeated = `${marker}-idempotency`;
  await stack.create(repeated);
  await stack.create(repeated);
  await get(`/v1/verifications/${id}`, stack.key);
  await get(`/${marker}/${id}?${marker}=${marker}`, stack.key);
  await get(`/verify/${marker}-token`, stack.key);
  for (let i = 0; i < 2; i++) await get('/v1/verifications', slow);
  await callTool(stack, stack.key, 'list_verifications', { reference: marker });
  // A visitor says that a proxy forwarded the request, and no proxy is trusted here.
  await newVisitor(`http://127.0.0.1:${consolePort}`, '203.0.113.7').submit('/sign-in', '/sign-in', {
    email: `${marker}@example.com`,
    password: 'not the right one',
  });
  const deferred = async () => {
    const page = await scrape(stack.metricsUrls.worker);
    expect(page.sum('webhook_deferrals_total')).toBeGreaterThan(0);
    expect(page.sum('webhook_deliveries_open')).toBeGreaterThan(0);
    expect(page.sum('webhook_deliveries_oldest_due_seconds')).toBeGreaterThan(0);
    expect(page.sum('workflow_open', { type: 'delivery' })).toBeGreaterThan(0);
  };
  await vi.waitFor(deferred, { timeout: 25_000, interval: 500 });
  release.resolve();
  const settled = async () => {
    worker = await scrape(stack.metricsUrls.worker);
    expect(worker.sum('webhook_deliveries_settled_total', { status: 'delivered' })).toBe(deliveries);
    // This is counted from time to time only.
    expect(worker.sum('flow_submissions_open')).toBe(0);
    // The verdict of the walk waits for a person.
    expect(worker.sum('review_queue_waiting', { environment: 'live' })).toBe(1);
    expect(worker.sum('review_queue_oldest_seconds', { environment: 'live' })).toBeGreaterThan(0);
  };
  await vi.waitFor(settled, { timeout: 75_000, interval: 500 });
  api = await scrape(stack.metricsUrls.api);
}, 200_000);

/** Goes through the flow in live, until the verdict. The first uploaded file is no picture. */
async function walk(): Promise<void> {
  const { key } = await makeKey(stack.store, {
    organisation: 'Acme',
    environment: 'live',
    grants: [...grants],
    // The question for the verdict is asked often, and no refusal of it may count.
    rateLimit: 100_000,
  });
  const body = { method: 'document_only' };
  const { json } = await call(stack, 'POST', '/v1/verifications', { key, body });
  const user = person(stack, json.verify_url);
  await user.start();
  await user.upload('passport_page', Buffer.from(marker));
  await user.upload('passport_page', await anyPicture());
  // A quick look has ended before Send. Afterwards nobody looks.
  await vi.waitFor(
    async () =>
      expect((await scrape(stack.metricsUrls.worker)).sum('picture_looks_total')).toBeGreaterThan(0),
    { timeout: 60_000, interval: 200 },
  );
  await user.submit();
  const status = async () => (await call(stack, 'GET', `/v1/verifications/${json.id}`, { key })).json.status;
  await vi.waitFor(async () => expect(await status()).toBe('completed'), { timeout: 60_000, interval: 200 });
}

describe('the page', () => {
  test('is text in the format of Prometheus, and the only one on its port', async () => {
    expect([api, worker].map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(api.type).toBe('text/plain; version=0.0.4; charset=utf-8');
    for (const path of ['/', '/v1/health', '/metrics/']) {
      const { statusCode, body } = await request(new URL(path, stack.metricsUrls.api));
      await body.dump();
      expect(statusCode, path).toBe(404);
    }
  });

  test('is not on the port of the API', async () => {
    const { statusCode, body } = await request(`${stack.url}/metrics`);
    await body.dump();
    expect(statusCode).toBe(404);
  });

  test('names the process and its version', () => {
    expect(api.samples.find(({ name }) => name === 'target_info')?.labels).toMatchObject({
      service_name: 'verification-service-api',
      process_runtime_version: process.versions.node,
    });
    expect(Math.abs(api.sum('process_start_time_seconds') - Date.now() / 1_000)).toBeLessThan(300);
  });
});

describe('the API tells', () => {
  const requests = 'http_server_request_duration_seconds_count';

  test('requests by route, method and status, and those of the agent interface by tool', () => {
    const of = (route: string, status: string) =>
      api.sum(requests, { http_route: route, http_response_status_code: status });
    expect(of('/v1/verifications', '201')).toBe(creates + 4);
    expect(of('/v1/verifications/:id', '200')).toBeGreaterThan(1);
    expect(of('/verify/:token', '404')).toBe(1);
    expect(of('none', '404')).toBe(1);
    expect(api.sum(requests, { http_route: '/mcp', action: 'list_verifications' })).toBe(1);
  });

  test('creates by what came of them', () => {
    const of = (outcome: string) =>
      api.sum('verification_creates_total', { outcome, environment: 'sandbox' });
    expect({ created: of('created'), replayed: of('replayed') }).toEqual({
      created: creates + 2,
      replayed: 1,
    });
  });

  test('what people press and hand in, and what is wrong with their pictures', () => {
    const of = (step: string, outcome: string) =>
      api.sum('flow_steps_total', { step, outcome, environment: 'live' });
    expect([of('start', 'done'), of('picture', 'done'), of('submit', 'done')]).toEqual([1, 1, 1]);
    expect(of('picture', 'not_a_picture')).toBe(1);
  });

  test('refusals of the rate limit, and where it counts when Redis is away', () => {
    expect(api.sum('rate_limit_refusals_total', { of: 'key' })).toBe(1);
    expect(api.sum('rate_limit_store', { store: 'memory' })).toBe(1);
    expect(api.sum('rate_limit_store', { store: 'redis' })).toBe(0);
    expect(api.sum('rate_limit_breaker_open')).toBe(1);
  });

  test('what its cache of keys, its request log and its connections do', () => {
    expect(api.sum('key_cache_lookups_total', { result: 'hit' })).toBeGreaterThan(0);
    expect(api.sum('key_cache_lookups_total', { result: 'miss' })).toBeGreaterThan(0);
    expect(api.sum('request_log_lines_lost_total')).toBe(0);
    expect(api.sum('db_client_connection_max')).toBe(20);
    expect(api.sum('db_client_connection_count')).toBeGreaterThan(0);
  });
});

describe('the worker tells', () => {
  test('attempts by outcome, phase and class of status, and how long they took', () => {
    expect(worker.sum('webhook_attempts_total', { outcome: 'delivered', status: '2xx' })).toBe(deliveries);
    expect(
      worker.sum('webhook_attempts_total', { outcome: 'http_status', phase: 'body', status: '5xx' }),
    ).toBe(1);
    expect(worker.sum('webhook_attempt_duration_seconds_count')).toBe(deliveries + 1);
  });

  test('how long documents took, and how many wait for their verdict', () => {
    expect(worker.sum('checks_duration_seconds_count', { outcome: 'made' })).toBe(1);
    expect(worker.sum('flow_submissions_open')).toBe(0);
  });

  test('how old deliveries were at their first attempt', () => {
    expect(worker.sum('webhook_first_attempt_age_seconds_count')).toBe(deliveries);
    expect(worker.sum('webhook_first_attempt_age_seconds_bucket', { le: '28800' })).toBe(deliveries);
  });

  test('how far behind housekeeping is, by kind of data, and whether it is paused', () => {
    for (const kind of expiring) {
      const of = (name: string) =>
        worker.samples.find((sample) => sample.name === name && sample.labels.kind === kind)?.value;
      expect(of('housekeeping_overdue_seconds'), kind).toBe(0);
      expect(of('housekeeping_last_success_seconds'), kind).toBeTypeOf('number');
    }
    expect(worker.samples.find(({ name }) => name === 'housekeeping_paused')?.value).toBe(0);
  });

  test('metrics of Temporal, by queue', () => {
    const queue = { task_queue: 'verifications' };
    for (const name of [
      'temporal_workflow_task_schedule_to_start_latency_seconds_count',
      'temporal_worker_task_slots_available',
      'temporal_num_pollers',
    ])
      expect(worker.sum(name, queue), name).toBeGreaterThan(0);
    const buckets = worker.samples.filter(
      ({ name, labels }) =>
        name === 'temporal_workflow_task_schedule_to_start_latency_seconds_bucket' &&
        labels.task_queue === 'verifications',
    );
    expect(buckets.at(-1)?.labels.le).toBe('+Inf');
    const counts = buckets.map(({ value }) => value);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  });
});

test('no label holds what a caller sent, an id, a key or an organisation', () => {
  const known = new RegExp(
    [
      marker,
      'svc_(test|live)_',
      'whsec_',
      '[0-9a-f]{8}-[0-9a-f]{4}-',
      '(req|evt|dos)_[0-9a-z]{26}',
      'Acme',
    ].join('|'),
  );
  for (const { name, labels } of [...api.samples, ...worker.samples])
    for (const value of Object.values(labels)) expect(value, name).not.toMatch(known);
});

describe('docs/operations/metrics.md', () => {
  const guide = readFileSync(new URL('../../../docs/operations/metrics.md', import.meta.url), 'utf8');
  const documented = [...guide.matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name);
  const isTemporals = (name: string) => name.startsWith('temporal_');

  test('has each of our metrics in its table, and none that is not served', () => {
    const served = new Set(
      [...api.families.keys(), ...worker.families.keys()].filter((name) => !isTemporals(name)),
    );
    expect(documented.filter((name) => !isTemporals(name)).sort()).toEqual([...served].sort());
  });

  /** Counters of faults are absent until the first fault. */
  const ofFaults = ['temporal_workflow_task_execution_failed_total', 'temporal_long_request_failure_total'];

  test('names those of Temporal as they are served', () => {
    const named = documented.filter((name) => isTemporals(name) && !ofFaults.includes(name));
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !worker.families.has(name))).toEqual([]);
  });

  test('says nothing in a rule of alerts.yml that is not served', () => {
    const served = [...api.families.keys(), ...worker.families.keys(), ...ofFaults];
    expect(rules.length).toBeGreaterThan(3);
    const used = rules.flatMap(({ expr }) => expr.match(/\b[a-z0-9]+_[a-z0-9_]+(?=[{[ )]|$)/g) ?? []);
    const families = used.map((name) => name.replace(/_(bucket|count|sum)$/, ''));
    expect(families.filter((name) => !served.includes(name))).toEqual([]);
  });
});
