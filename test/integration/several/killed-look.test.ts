import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { call } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { type Cluster, startCluster } from './cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
}, 90_000);
afterAll(() => cluster.stop());

async function started() {
  const [api] = cluster.apis;
  const { key } = await cluster.key({ org: 'Looks', environment: 'live' });
  const body = { method: 'document_only' };
  const { json } = await call(api, 'POST', '/v1/verifications', { key, body });
  const user = person(api, json.verify_url);
  await user.start();
  const read = async () => (await call(api, 'GET', `/v1/verifications/${json.id}`, { key })).json;
  const look = async () => {
    const [row] = await cluster.rows<{ look: string | null }>`
      select look from evidence where verification_id = ${json.id}`;
    return row?.look;
  };
  return { id: json.id as string, user, read, look };
}

/** The worker that looks at the picture of a flow. A look that ended before it was seen does not count, and the next flow is tried. */
async function lookingWorker() {
  for (;;) {
    const flow = await started();
    const uploaded = flow.user.upload('passport_page', await anyPicture());
    while (!(await flow.look())) {
      const worker = await cluster.workerAt(verificationWorkflowId(flow.id));
      if (worker !== undefined) return { ...flow, uploaded, worker };
      await pause(20);
    }
    await uploaded;
  }
}

test('a worker that is killed while it looks at a picture stops nobody: the person goes on, and the answer comes', async () => {
  const { user, uploaded, worker, look, read } = await lookingWorker();
  worker.signal('SIGKILL');
  await worker.exited;
  expect((await uploaded).status).toBe(200);
  expect((await user.look()).text).toContain('Is everything right?');
  await expect.poll(look, { timeout: 100_000 }).toBe('no_document');
  expect((await user.look()).text).toContain('We see no document in this photo');
  await user.submit();
  await expect.poll(async () => (await read()).status, { timeout: 100_000 }).toBe('completed');
}, 300_000);
