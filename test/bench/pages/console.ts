import { parseArgs } from 'node:util';
import pg from 'pg';
import { consolePages } from '#api/console/pages.ts';
import { startConsole } from '#api/console/server.ts';
import { systemClock } from '#platform/clock.ts';
import { createSecrets, type Secrets } from '#platform/crypto/crypto.ts';
import { createLog } from '#platform/log.ts';
import { addressRules } from '#platform/outbound/addresses.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { createTemporalClient } from '#platform/temporal/client.ts';
import { lazyConnection } from '#platform/temporal/connection.ts';
import { may, type Right } from '#policy/rights.ts';
import { orderDossier } from '#services/dossiers/order.ts';
import { acceptLink } from '#services/members/accept.ts';
import type { Invitation } from '#services/members/invite.ts';
import { claimReview } from '#services/reviews/claim.ts';
import { openStore, type Store } from '#store/database/connection.ts';
import { migrate } from '#store/database/migrate.ts';
import { scopeOfMember } from '#store/database/scope.ts';
import { asOwner } from '#test/support/people/as-member.ts';
import { inviteByOperator, inviteOperator } from '#test/support/people/as-operator.ts';
import { quantile } from '../parts/figures.ts';
import { newKey } from '../parts/product.ts';
import { runBench, say, sayMachine, stops } from '../parts/programs.ts';
import { startSetting } from '../parts/setting.ts';
import { fillConsole, keepFourPictures } from './console-fill.ts';

/**
 * Measures the time of each page of the console with many verifications, and shows the plan of the slowest query of each page:
 * node test/bench/pages/console.ts [--rows 1000000] [--walks 200] [--limit-ms 100]
 * Somebody who may opens every page in turn, so a noisy machine slows all of them. The times include the connection of this machine. A
 * million rows take some ten minutes to fill and 6 GB. Exit code 1: the p99 of a page is above the limit.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    walks: { type: 'string', default: '200' },
    'limit-ms': { type: 'string', default: '100' },
  },
});
const [rows, walks, limitMs] = [Number(values.rows), Number(values.walks), Number(values['limit-ms'])];

type Query = { text: string; values: unknown[]; ms: number };

/** The slowest query since the last call of `take`. The driver of the product is watched, since the console runs in this process. */
function watchQueries() {
  let slowest: Query | undefined;
  const { query } = pg.Client.prototype;
  // biome-ignore lint/suspicious/noExplicitAny: the driver takes many forms of arguments
  pg.Client.prototype.query = function watched(this: pg.Client, ...args: any[]): any {
    const startedMs = performance.now();
    const made = Reflect.apply(query, this, args);
    const text = typeof args[0] === 'string' ? args[0] : args[0]?.text;
    const given = args[0]?.values ?? (Array.isArray(args[1]) ? args[1] : []);
    made?.then?.(
      () => {
        const ms = performance.now() - startedMs;
        if (typeof text === 'string' && ms > (slowest?.ms ?? 0)) slowest = { text, values: given, ms };
      },
      () => undefined,
    );
    return made;
  };
  return {
    take() {
      const found = slowest;
      slowest = undefined;
      return found;
    },
  };
}

async function setUp() {
  const { postgres, temporal } = await startSetting('console');
  await migrate(postgres.url);
  const store = await openStore(postgres.url, 20);
  stops.push(store.close);
  const secrets = createSecrets([Buffer.alloc(32, 7)]);
  const connection = await lazyConnection(
    { address: temporal.address, namespace: 'default', tls: undefined, apiKey: undefined },
    temporal.address,
  );
  stops.push(() => connection.close());
  const log = createLog({ level: 'error', format: 'json' });
  const client = createTemporalClient(connection, { namespace: 'default', secrets });
  const console = await startConsole({
    ctx: {
      ...{ store, secrets, clock: systemClock, addresses: addressRules([]), instruments: noInstruments },
      temporal: client,
      publicUrl: 'https://verify.example',
    },
    // No page of this measurement takes a picture.
    decoder: { logo: async () => ({ fault: 'not_a_picture' }) },
    tryContract: async () => ({ is: 'on_loopback' }),
    ...{ log, trustProxy: [], host: '127.0.0.1', port: 0 },
    counting: { redisUrl: undefined, windowSeconds: 60 },
  });
  stops.push(console.stop);
  return { store, secrets, postgres, temporal: client, url: `http://127.0.0.1:${console.port}` };
}

/** Signs somebody in with both factors. Returns the cookie. */
async function signedIn(
  { store, secrets, client }: { store: Store; secrets: Secrets; client: pg.Client },
  invited: Invitation,
) {
  if ('refused' in invited) throw new Error(invited.refused);
  const accepted = await acceptLink({ store, secrets, clock: systemClock }, invited.link.token, {
    ...{ password: 'violet tractor humming lantern', language: 'en' },
    device: { userAgent: 'bench', address: '127.0.0.1' },
  });
  if (!('token' in accepted)) throw new Error(accepted.fault);
  await client.query(`update members set totp_secret = '\\x00' where id = $1`, [invited.memberId]);
  return { memberId: invited.memberId, cookie: `console=${accepted.token}` };
}

/** Those whose sign-in is not at its end: one who owes the code, and one who has no second factor yet. */
async function signedInByHalf(place: Parameters<typeof signedIn>[0], store: Store) {
  const invite = (email: string) => inviteByOperator(store, 'Acme', { email, role: 'reviewer' });
  const half = await signedIn(place, await invite('half@acme.example'));
  const newcomer = await signedIn(place, await invite('newcomer@acme.example'));
  await place.client.query('update members set totp_secret = null where id = $1', [newcomer.memberId]);
  await place.client.query(
    `update member_sessions set is_full = false, expires_at = now() + interval '12 hours' where member_id = $1`,
    [half.memberId],
  );
  return { half: half.cookie, newcomer: newcomer.cookie };
}

const visitors = ['owner', 'operator', 'half', 'newcomer', 'nobody'] as const;
type Visitor = (typeof visitors)[number];
/** `from`: the page is the answer to a form on this page, whose own time does not count. */
type Target = { name: string; by: Visitor; pathOf: (walk: number) => string; from?: string };

const byAudience: Readonly<Record<string, Visitor>> = { anybody: 'nobody', code: 'half', setup: 'newcomer' };
const visitorOf = (audience: string): Visitor =>
  byAudience[audience] ?? (may('owner', audience as Right) ? 'owner' : 'operator');

/** Opens a page, or sends a form. Returns how long the answer took. */
async function timed(url: string, cookie: string, path: string, from: string | undefined): Promise<number> {
  const headers = { cookie };
  const sent = from === undefined ? {} : await formOf(url + from, headers);
  const startedMs = performance.now();
  const answer = await fetch(url + path, { headers, redirect: 'manual', ...sent });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  return performance.now() - startedMs;
}

async function formOf(page: string, headers: Record<string, string>) {
  const answer = await fetch(page, { headers });
  const shown = await answer.text();
  if (answer.status !== 200) throw new Error(`${page} answered ${answer.status}`);
  const token = /name="token" value="([^"]+)"/.exec(shown)?.[1] ?? '';
  return { method: 'POST', body: new URLSearchParams({ token }) };
}

/** Every page, the forms of the search that people use, and the evidence of a live verification. */
function targets(ids: {
  verification: readonly string[];
  claimed: string;
  link: string;
  dossier: string;
  key: string;
  member: string;
  endpoint: string;
  delivery: readonly string[];
  organisation: string;
}): Target[] {
  const own: Record<string, (walk: number) => string> = {
    link: () => ids.link,
    dossiers: () => ids.dossier,
    verifications: (walk) => ids.verification[walk % ids.verification.length] ?? '',
    review: () => ids.claimed,
    keys: () => ids.key,
    members: () => ids.member,
    webhooks: () => ids.endpoint,
    operator: () => ids.organisation,
    deliveries: (walk) => ids.delivery[walk % ids.delivery.length] ?? '',
  };
  // The file of a dossier is no page.
  const pages = consolePages.filter(({ method, path }) => method === 'GET' && path !== '/dossiers/:id/file');
  const searches = [
    '/verifications?environment=live&status=completed&outcome=rejected',
    '/verifications?environment=live&text=customer+4713',
    '/verifications?environment=live&text=omer+4711',
    '/verifications?environment=live&method=document_only&from=2026-01-01&until=2026-06-30',
    '/review?environment=sandbox',
    '/requests?path=nowhere',
    '/requests?status=4',
    '/log?kind=keys',
    `/webhooks/${ids.endpoint}?status=failed&from=2026-01-01&until=2026-06-30`,
  ];
  return [
    ...pages.map(({ path, for: audience }) => ({
      name: path,
      by: visitorOf(audience),
      pathOf: (walk: number) => path.replace(/:id|:token/, own[path.split('/')[1] ?? '']?.(walk) ?? ''),
    })),
    ...searches.map((path) => ({ name: path, by: 'owner' as const, pathOf: () => path })),
    {
      ...{
        name: '/verifications/:id with its four pictures',
        by: 'owner',
        from: `/verifications/${ids.claimed}`,
      },
      pathOf: () => `/verifications/${ids.claimed}/evidence`,
    },
  ];
}

type Open = (path: string, by: Visitor, from?: string) => Promise<number>;

async function walk(open: Open, made: readonly Target[]) {
  const queries = watchQueries();
  const times = new Map<string, number[]>(made.map(({ name }) => [name, []]));
  const slowest = new Map<string, Query>();
  for (let n = 0; n < walks; n++)
    for (const { name, by, pathOf, from } of made) {
      queries.take();
      times.get(name)?.push(await open(pathOf(n), by, from));
      const query = queries.take();
      if (query !== undefined && query.ms > (slowest.get(name)?.ms ?? 0)) slowest.set(name, query);
    }
  return { times, slowest };
}

async function showPlan(client: pg.Client, name: string, query: Query | undefined): Promise<void> {
  if (query === undefined) return;
  say(`\n${name}: slowest query ${query.ms.toFixed(1)} ms\n${query.text.slice(0, 400)}`);
  await client.query('begin');
  const explained = await client
    .query(`explain (analyze, buffers) ${query.text}`, query.values)
    .catch((error: Error) => ({ rows: [{ 'QUERY PLAN': `no plan: ${error.message}` }] }));
  await client.query('rollback');
  for (const row of explained.rows) say(`  ${row['QUERY PLAN']}`);
}

async function measure(): Promise<void> {
  sayMachine();
  const { store, secrets, postgres, temporal, url } = await setUp();
  const { id: key, organisationId: orgId } = await newKey(store, 'Acme');
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  stops.push(() => client.end());
  const endpointId = crypto.randomUUID();
  await client.query(
    `insert into webhook_endpoints (id, org_id, url, event_types, environment, secret)
     values ($1, $2, 'https://receiver.example', '{verification.completed}', 'all', '')`,
    [endpointId, orgId],
  );
  say(`Filling ${rows.toLocaleString('en')} verifications`);
  await fillConsole(store, { orgId, endpointId, keyId: key, linkKeyId: secrets.newestKeyId, count: rows });
  await client.query('set statement_timeout = 0');
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  const owner = { email: 'owner@acme.example', role: 'owner' } as const;
  const place = { store, secrets, client };
  const { memberId, cookie } = await signedIn(place, await inviteByOperator(store, 'Acme', owner));
  const operator = await signedIn(place, await inviteOperator(store, 'operator@service.example'));
  const cookies: Record<Visitor, string> = {
    ...{ owner: cookie, operator: operator.cookie, nobody: '' },
    ...(await signedInByHalf(place, store)),
  };
  const invited = await inviteByOperator(store, 'Acme', { email: 'new@acme.example', role: 'auditor' });
  if ('refused' in invited) throw new Error(invited.refused);
  const some = await client.query('select id from verifications order by random() limit 200');
  const waiting = await client.query(
    `select id from verifications where environment = 'live' and verdict ->> 'outcome' = 'review' limit 1`,
  );
  const claimed = String(waiting.rows[0]?.id);
  const scope = scopeOfMember({ orgId, environment: 'live' });
  await keepFourPictures({ store, secrets }, scope, claimed);
  const member = asOwner({ id: memberId }, orgId, 'live');
  await claimReview({ store }, member, { id: claimed });
  // No worker runs here, so the page says that the dossier is being made.
  const { orderId: dossier } = await orderDossier(
    { store, secrets, clock: systemClock, temporal, deadlineAt: Date.now() + 1_000 },
    member,
    { verificationId: claimed, format: 'json' },
  );
  const sent = await client.query('select id from deliveries order by random() limit 200');
  const ids = {
    ...{ endpoint: endpointId, delivery: sent.rows.map(({ id }) => String(id)) },
    verification: some.rows.map(({ id }) => String(id)),
    ...{ claimed, dossier, link: invited.link.token, key, member: memberId, organisation: orgId },
  };
  const { times, slowest } = await walk(
    (path, by, from) => timed(url, cookies[by], path, from),
    targets(ids),
  );
  for (const [name, ms] of times)
    say(`${quantile(ms, 0.5).toFixed(1).padStart(8)} ${quantile(ms, 0.99).toFixed(1).padStart(8)}  ${name}`);
  const slow = [...times].filter(([, ms]) => quantile(ms, 0.99) > limitMs).map(([name]) => name);
  for (const [name] of times) await showPlan(client, name, slowest.get(name));
  say(slow.length === 0 ? `\nEvery page is under ${limitMs} ms at p99.` : `\nToo slow: ${slow.join(', ')}`);
  if (slow.length > 0) process.exitCode = 1;
}

await runBench(measure);
