import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const list = (key: string, query = '') => call(harness, 'GET', `/v1/webhooks${query}`, { key });
const create = async (key: string, path: string) =>
  (await call(harness, 'POST', '/v1/webhooks', { key, body: { url: `https://hooks.example.com/${path}` } }))
    .json;

test('endpoints are listed as they were created, the newest first, without their secrets', async () => {
  covers('4.1/webhook-list', '2.4/secret-once');
  const { key } = await harness.key({ org: 'Lists' });
  const created = [await create(key, 'a'), await create(key, 'b')];
  const { status, json, text } = await list(key);
  expect(status).toBe(200);
  expect(json).toEqual({
    object: 'list',
    data: created.toReversed().map(({ secret, ...shown }) => shown),
    has_more: false,
    next_starting_after: null,
  });
  expect(text).not.toContain('whsec_');
});

test('both environments of an organisation see the same endpoints, inactive ones too', async () => {
  covers('4.1/webhook-list', '3/webhook-delete-deactivates');
  const sandbox = await harness.key({ org: 'Both' });
  const live = await harness.key({ org: 'Both', environment: 'live' });
  const { id } = await create(sandbox.key, 'a');
  await create(live.key, 'b');
  await call(harness, 'DELETE', `/v1/webhooks/${id}`, { key: live.key });
  const [seenBySandbox, seenByLive] = [await list(sandbox.key), await list(live.key)];
  expect(seenBySandbox.json).toEqual(seenByLive.json);
  expect(seenByLive.json.data.map(({ active }: { active: boolean }) => active)).toEqual([true, false]);
});

test('a long list of endpoints has pages', async () => {
  const { key } = await harness.key({ org: 'Pages' });
  const ids: string[] = [];
  for (const path of ['a', 'b', 'c']) ids.unshift((await create(key, path)).id);
  const first = (await list(key, '?limit=2')).json;
  expect(first).toMatchObject({ data: [{ id: ids[0] }, { id: ids[1] }], has_more: true });
  const second = (await list(key, `?limit=2&starting_after=${first.next_starting_after}`)).json;
  expect(second).toMatchObject({ data: [{ id: ids[2] }], has_more: false, next_starting_after: null });
});
