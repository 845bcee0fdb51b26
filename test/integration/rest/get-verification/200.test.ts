import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness();

test('a verification reads as it was answered when it was created', async () => {
  covers('4.1/get');
  const { key } = await harness.key();
  const created = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { reference: 'r', method: 'idin' },
  });
  const read = await call(harness, 'GET', `/v1/verifications/${created.json.id}`, { key });
  expect(read.status).toBe(200);
  expect(read.json).toEqual(created.json);
});

test('polling tells each status, and the verdict once it is there', async () => {
  covers('1/status-by-polling', '2.1/status', '2.1/verdict-null-until-completed');
  const { key } = await harness.key();
  const { json: created } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { sandbox: { auto_complete: false } },
  });
  const poll = async () => (await call(harness, 'GET', `/v1/verifications/${created.id}`, { key })).json;
  expect(await poll()).toMatchObject({ status: 'pending', verdict: null });
  await harness.rows`update verifications set status = 'in_progress' where id = ${created.id}`;
  expect(await poll()).toMatchObject({ status: 'in_progress', verdict: null });
  await call(harness, 'POST', `/v1/verifications/${created.id}/complete`, { key });
  expect(await poll()).toMatchObject({ status: 'completed', verdict: { outcome: 'approved' } });
});

test('a key that may only read gets no link, in a verification or in a list, and nothing else is missing', async () => {
  const [{ key }, reader] = [
    await harness.key(),
    await harness.key({ grants: ['verify:read', 'webhooks:manage'] }),
  ];
  const body = { sandbox: { auto_complete: false } };
  const { json: created } = await call(harness, 'POST', '/v1/verifications', { key, body });
  const token = created.verify_url.split('/').at(-1);
  const read = await call(harness, 'GET', `/v1/verifications/${created.id}`, { key: reader.key });
  const listed = await call(harness, 'GET', '/v1/verifications', { key: reader.key });
  const shown = { ...created, verify_url: created.verify_url.replace(`/${token}`, '') };
  expect(read.json).toEqual(shown);
  expect(listed.json.data[0]).toEqual(shown);
  expect(JSON.stringify([read.json, listed.json])).not.toContain(token);
  const opened = await fetch(harness.url + new URL(read.json.verify_url).pathname);
  expect([opened.status, opened.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});

test('another key of the same organisation and environment reads it too', async () => {
  covers('5/key-determines-environment-and-organisation');
  const [one, other] = [await harness.key(), await harness.key({ grants: ['verify:create', 'verify:read'] })];
  const created = await call(harness, 'POST', '/v1/verifications', { key: one.key });
  const read = await call(harness, 'GET', `/v1/verifications/${created.json.id}`, { key: other.key });
  expect(read.status).toBe(200);
  expect(read.json).toEqual(created.json);
});
