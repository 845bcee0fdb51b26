import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createSecrets } from '#platform/crypto/crypto.ts';
import { call } from '#test/support/harness.ts';
import { consented } from '#test/support/people/consented.ts';
import { press, simulatedBanks } from '#test/support/people/idin.ts';
import { person } from '#test/support/people/person.ts';
import { type Cluster, startCluster, superviseWorker } from './cluster.ts';

let cluster: Cluster;
let killWorker: () => Promise<void>;
const { agree } = await simulatedBanks();
beforeAll(async () => {
  cluster = await startCluster({ workers: 0 });
  killWorker = await superviseWorker(cluster);
}, 300_000);
afterAll(() => cluster.stop());

const patience = { timeout: 250_000, interval: 250 };

test('a person ends at one verdict although the worker is killed at each step of a visit, and an API besides', async () => {
  const { key } = await cluster.key({ org: 'Visits', environment: 'live' });
  await agree({ store: cluster.store, secrets: createSecrets([Buffer.alloc(32, 7)]) }, 'Visits');
  const [first, second] = cluster.apis;
  const { json } = await call(first, 'POST', '/v1/verifications', { key, body: { method: 'idin' } });
  const user = person(first, json.verify_url);
  await user.start();

  const choosing = user.press('bank', { body: 'bank=SIMBNL2A' });
  await killWorker();
  await choosing;
  // The right to begin may be lost with the worker. The page then asks the person to choose again.
  const address = await vi.waitFor(async () => {
    const { text } = await user.look();
    if (text.includes('name="bank"')) await user.press('bank', { body: 'bank=SIMBNL2A' }, { text });
    return /href="(http:[^"]+\/bank\/\d+)"/.exec(text)?.[1] ?? expect.unreachable('no address yet');
  }, patience);

  await killWorker();
  first.signal('SIGKILL');
  const returned = await press(address, { choice: 'success', persona: 'plain' });
  const back = await call(second, 'GET', returned.pathname + returned.search);
  expect(back.status).toBe(303);
  await killWorker();

  expect(await verdictOf(second, key, json.id)).toMatchObject({
    outcome: 'approved',
    assurance_level: 'substantial',
  });
  const ends = await cluster.rows<{ status: string }>`
    select status from eid_transactions where verification_id = ${json.id} order by created_at`;
  expect(ends.filter(({ status }) => status === 'success')).toHaveLength(1);
  expect(await submissionsOf(json.id)).toHaveLength(1);
}, 900_000);

test('a person ends at one verdict although an API is killed with each request of a visit in its hands', async () => {
  const { key } = await cluster.key({ org: 'Visits again', environment: 'live' });
  await agree({ store: cluster.store, secrets: createSecrets([Buffer.alloc(32, 7)]) }, 'Visits again');
  const [, whole] = cluster.apis;
  let unanswered = 0;
  /** Sends a request to an API that dies before it has answered, or just after. */
  const killedWith = async (ask: (api: { url: string }) => Promise<unknown>) => {
    const api = await cluster.startApi();
    const asked = ask(api).catch(() => {
      unanswered++;
    });
    await pause(5);
    api.signal('SIGKILL');
    await asked;
  };
  const headers = { 'idempotency-key': 'killed' };
  const create = (api: { url: string }) =>
    call(api, 'POST', '/v1/verifications', { key, body: { method: 'idin' }, headers });
  await killedWith(create);
  const { json } = await create(whole);
  const user = person(whole, json.verify_url);

  const welcome = await user.look();
  await killedWith((api) => person(api, json.verify_url).press('start', { body: consented }, welcome));
  if ((await user.look()).text.includes('name="consent"')) await user.start();

  const choice = await user.look();
  const bank = { body: 'bank=SIMBNL2A' };
  await killedWith((api) => person(api, json.verify_url).press('bank', bank, choice));
  const address = await vi.waitFor(async () => {
    const { text } = await user.look();
    if (text.includes('name="bank"')) await user.press('bank', bank, { text });
    return /href="(http:[^"]+\/bank\/\d+)"/.exec(text)?.[1] ?? expect.unreachable('no address yet');
  }, patience);

  const returned = await press(address, { choice: 'success', persona: 'plain' });
  const comesBack = (api: { url: string }) => call(api, 'GET', returned.pathname + returned.search);
  await killedWith(comesBack);
  expect((await comesBack(whole)).status).toBe(303);
  expect(await verdictOf(whole, key, json.id)).toMatchObject({
    ...{ outcome: 'approved', assurance_level: 'substantial' },
  });
  expect(await submissionsOf(json.id)).toHaveLength(1);
  const made = await cluster.rows`select from verifications where method = 'idin' and org_id = (
    select id from organisations where name = 'Visits again')`;
  expect(made).toHaveLength(1);
  expect(unanswered).toBeGreaterThan(0);
}, 900_000);

const verdictOf = (api: { url: string }, key: string, id: string) =>
  vi.waitFor(async () => {
    const found = await call(api, 'GET', `/v1/verifications/${id}`, { key });
    return found.json.verdict ?? expect.unreachable('no verdict yet');
  }, patience);

const submissionsOf = (id: string) =>
  cluster.rows`select from ledger where subject_id = ${id} and type = 'verification.submitted'`;
