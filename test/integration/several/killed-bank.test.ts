import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createSecrets } from '#platform/crypto.ts';
import { call } from '#test/support/harness.ts';
import { press, simulatedBanks } from '#test/support/idin.ts';
import { person } from '#test/support/person.ts';
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

  const verdict = await vi.waitFor(async () => {
    const found = await call(second, 'GET', `/v1/verifications/${json.id}`, { key });
    return found.json.verdict ?? expect.unreachable('no verdict yet');
  }, patience);
  expect(verdict).toMatchObject({ outcome: 'approved', assurance_level: 'substantial' });
  const ends = await cluster.rows<{ status: string }>`
    select status from eid_transactions where verification_id = ${json.id} order by created_at`;
  expect(ends.filter(({ status }) => status === 'success')).toHaveLength(1);
  const submissions = await cluster.rows`
    select from ledger where subject_id = ${json.id} and type = 'verification.submitted'`;
  expect(submissions).toHaveLength(1);
}, 900_000);
