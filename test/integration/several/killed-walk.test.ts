import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { untilMasked } from '#test/support/rows/masked.ts';
import { type Cluster, startCluster, superviseWorker } from './cluster.ts';

let cluster: Cluster;
let killWorker: () => Promise<void>;
beforeAll(async () => {
  cluster = await startCluster({ workers: 0 });
  killWorker = await superviseWorker(cluster);
}, 120_000);
afterAll(() => cluster.stop());

const patience = { timeout: 200_000, interval: 50 };

async function walker() {
  const [api] = cluster.apis;
  const { key } = await cluster.key({ org: 'Walks', environment: 'live' });
  const body = { method: 'document_liveness' };
  const { json } = await call(api, 'POST', '/v1/verifications', { key, body });
  const id: string = json.id;
  return {
    id,
    user: person(api, json.verify_url),
    looks: async () =>
      (
        await cluster.rows<{ look: string | null }>`select look from evidence where verification_id = ${id}`
      ).map(({ look }) => look),
    examined: async () =>
      (await cluster.rows`select 1 from examinations where verification_id = ${id}`).length > 0,
    read: async () => (await call(api, 'GET', `/v1/verifications/${id}`, { key })).json,
  };
}

/** Does what the page says when no worker answered: the same again. Each try has ten seconds. */
async function insisting(press: () => Promise<{ status: number; text: string }>): Promise<string> {
  for (let tries = 0; ; tries++) {
    const { status, text } = await press();
    if (status === 200) return text;
    expect([status, tries < 12]).toEqual([503, true]);
    expect(text).toContain('Try again');
  }
}

test('a person goes on although the worker is killed between each two steps, and ends at a verdict', async () => {
  const { id, user, looks, examined, read } = await walker();
  await killWorker();
  expect(await insisting(user.start)).toContain('Which document do you want to use?');
  await killWorker();
  expect((await user.upload('passport_page', await anyPicture())).status).toBe(200);
  await killWorker();
  await expect.poll(looks, patience).toEqual(['no_document']);
  await killWorker();
  expect((await user.upload('selfie', await anyPicture())).status).toBe(200);
  await killWorker();
  expect(await insisting(user.noMovements)).toContain('Is everything right?');
  await killWorker();
  expect(await insisting(user.submit)).toContain('Thank you');
  await killWorker();
  await expect.poll(examined, patience).toBe(true);
  await killWorker();
  await expect.poll(async () => (await read()).status, patience).toBe('completed');
  await killWorker();
  expect((await user.look()).text).toContain('Done');
  expect((await read()).verdict.outcome).toBe('review');
  await untilMasked(cluster.rows, id);
  const lines = await cluster.rows<{ type: string }>`
    select type from ledger where subject_id = ${id} order by sequence`;
  expect(lines.map(({ type }) => type)).toEqual([
    ...['verification.created', 'verification.started', 'verification.submitted', 'verification.completed'],
    'evidence.masked',
  ]);
}, 600_000);
