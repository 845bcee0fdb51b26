import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '#test/support/harness.ts';
import { type Joined, joins } from '#test/support/people/console.ts';
import { freePort } from '#test/support/servers/free-port.ts';
import { type MortalServers, startMortalServers } from '#test/support/servers/mortal-servers.ts';
import { reasonsFor } from '../../reviews/reasons.ts';
import { type Cluster, startCluster } from '../../several/cluster.ts';

/** Servers are killed while a member reviews in the console: those of the product, and those that it needs. */

let servers: MortalServers;
let cluster: Cluster;
let consolePort: number;
let url: string;
let api: Awaited<ReturnType<Cluster['startApi']>>;
let worker: Awaited<ReturnType<Cluster['startWorker']>>;
let key: string;
let members: [Joined, Joined, Joined];

/** Starts everything that serves members. The console has the same address as before. */
const startServers = async () => {
  api = await cluster.startApi({ CONSOLE_PORT: String(consolePort) });
  worker = await cluster.startWorker();
};
const killServers = async () => {
  const all = [api, worker, ...cluster.apis, ...cluster.workers];
  for (const { signal } of all) signal('SIGKILL');
  await Promise.all(all.map(({ exited }) => exited));
};

beforeAll(async () => {
  const startServersIn = async (folder: string) => {
    servers = await startMortalServers(folder);
    return servers;
  };
  cluster = await startCluster({ workers: 0, startServersIn });
  consolePort = await freePort();
  url = `http://127.0.0.1:${consolePort}`;
  await startServers();
  key = (await cluster.key({ org: 'Killed' })).key;
  const joining = () => joins(cluster, url, { org: 'Killed', role: 'reviewer' });
  members = [await joining(), await joining(), await joining()];
  await cluster.rows`update organisations set review_eyes = 2 where name = 'Killed'`;
}, 120_000);
afterAll(() => cluster?.stop());

const inReview = async (ownKey = key): Promise<string> => {
  const body = { method: 'document_only', sandbox: { scenario: 'review' } };
  return (await call(api, 'POST', '/v1/verifications', { key: ownKey, body })).json.id;
};
const verdictOf = async (id: string, ownKey = key) =>
  (await call(api, 'GET', `/v1/verifications/${id}`, { key: ownKey })).json.verdict;
const claim = ({ visitor }: Joined, id: string) => visitor.submit('/review', `/review/${id}/claim`);
const decide = ({ visitor }: Joined, id: string, outcome: 'approved' | 'rejected') =>
  visitor.submit(`/review/${id}`, `/review/${id}/decide`, {
    ...{ outcome, reason: reasonsFor(outcome, 'document_only') },
  });

/** The sweep finds a decision without its order after two minutes. These are over now. */
const letSweepFindIt = (id: string) => cluster.rows`
  update review_decisions set created_at = created_at - interval '3 minutes', claimed_at = claimed_at - interval '3 minutes'
  where verification_id = ${id} and concludes`;

/** The types of the lines about the verification, without those of claims. */
const lineTypes = async (id: string) => {
  const lines = await cluster.rows<{ type: string }>`
    select type from ledger where subject_id = ${id} and type <> 'review.claimed' order by sequence`;
  return lines.map(({ type }) => type);
};

/** `stored` if the new worker needed longer than the page waits. */
const waitsForOther = /notice=(awaits_other|stored)/;

test('two at once, a disagreement, and all servers killed at each step: nothing is lost or decided twice', async () => {
  const [anna, bram, cato] = members;
  const id = await inReview();

  const claims = await Promise.all([claim(anna, id), claim(bram, id)]);
  expect(claims.map(({ status }) => status).sort()).toEqual([303, 409]);
  const [first, second] = claims[0]?.status === 303 ? [anna, bram] : [bram, anna];

  await killServers();
  await startServers();
  expect((await claim(second, id)).status).toBe(409);
  expect((await decide(first, id, 'approved')).location).toMatch(waitsForOther);

  expect((await claim(second, id)).status).toBe(303);
  await killServers();
  await startServers();
  expect((await decide(second, id, 'rejected')).location).toMatch(waitsForOther);
  expect(await verdictOf(id)).toMatchObject({ outcome: 'review', reviewed: false });

  expect((await claim(cato, id)).status).toBe(303);
  const page = await cato.visitor.get(`/review/${id}`);
  worker.signal('SIGKILL');
  await worker.exited;
  // The decision is stored; no worker carries it out, and the API dies while it waits for one.
  const given = { outcome: 'rejected', reason: reasonsFor('rejected', 'document_only') };
  const answer = cato.visitor
    .post(`/review/${id}/decide`, given, { token: page.token ?? '' })
    .catch(() => undefined);
  const stored = () => cluster.rows`select from review_decisions where verification_id = ${id} and concludes`;
  await expect.poll(async () => (await stored()).length, { timeout: 20_000 }).toBe(1);
  await killServers();
  await answer;
  // The API may have died before it gave the order.
  await letSweepFindIt(id);
  await startServers();

  await expect
    .poll(() => verdictOf(id), { timeout: 180_000 })
    .toMatchObject({ outcome: 'rejected', reviewed: true });
  expect(await lineTypes(id)).toEqual([
    ...['verification.created', 'verification.assessed', 'verification.assessed', 'verification.reviewed'],
  ]);
  expect(await cluster.rows`select from review_decisions where verification_id = ${id}`).toHaveLength(3);
  expect(await cluster.rows`select from events where verification_id = ${id}`).toHaveLength(2);
  expect((await decide(cato, id, 'approved')).status).toBe(409);
}, 400_000);

const killStores = () => Promise.all([servers.postgres.kill(), servers.temporal.kill()]);
const startStores = () => Promise.all([servers.postgres.start(), servers.temporal.start()]);

test('Postgres and Temporal killed between claim and decision, and between decision and order: nothing is lost or decided twice', async () => {
  const { key: own } = await cluster.key({ org: 'Crashed' });
  const joining = () => joins(cluster, url, { org: 'Crashed', role: 'reviewer' });
  const [anna, bram] = [await joining(), await joining()];
  const untilServed = () =>
    expect.poll(async () => (await anna.visitor.get('/review')).status, { timeout: 60_000 }).toBe(200);
  const [first, second] = [await inReview(own), await inReview(own)];
  for (const id of [first, second]) expect((await claim(anna, id)).status).toBe(303);

  await killStores();
  expect((await decide(anna, first, 'approved')).status).toBe(503);
  await startStores();
  await untilServed();
  expect((await claim(bram, first)).status).toBe(409);
  expect((await decide(anna, first, 'approved')).location).toMatch(/notice=(reviewed|stored)/);
  await letSweepFindIt(first);
  await expect
    .poll(() => verdictOf(first, own), { timeout: 180_000 })
    .toMatchObject({ outcome: 'approved', reviewed: true });

  const page = await anna.visitor.get(`/review/${second}`);
  const given = { outcome: 'rejected', reason: reasonsFor('rejected', 'document_only') };
  await servers.temporal.kill();
  // The decision is stored; its order waits for Temporal, and Postgres dies meanwhile.
  const answer = anna.visitor.post(`/review/${second}/decide`, given, { token: page.token ?? '' });
  const stored = () => cluster.rows`select from review_decisions where verification_id = ${second}`;
  await expect.poll(async () => (await stored()).length, { timeout: 20_000 }).toBe(1);
  await servers.postgres.kill();
  expect((await answer).status).toBe(503);
  await startStores();
  await untilServed();
  expect(await stored(), 'the decision outlives the servers').toHaveLength(1);
  expect((await claim(bram, second)).status).toBe(409);
  expect((await decide(anna, second, 'approved')).status).toBe(409);
  await letSweepFindIt(second);
  await expect
    .poll(() => verdictOf(second, own), { timeout: 180_000 })
    .toMatchObject({ outcome: 'rejected', reviewed: true });

  for (const id of [first, second]) {
    expect(await lineTypes(id)).toEqual(['verification.created', 'verification.reviewed']);
    expect(await cluster.rows`select from review_decisions where verification_id = ${id}`).toHaveLength(1);
    expect(await cluster.rows`select from events where verification_id = ${id}`).toHaveLength(2);
  }
}, 600_000);
