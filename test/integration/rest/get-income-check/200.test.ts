import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness();
const { key } = await harness.key();

test('an income check reads as it was answered when it was created', async () => {
  covers('4.1/income-check-get');
  const { json: created } = await call(harness, 'POST', '/v1/income-checks', {
    key,
    body: { reference: 'r' },
  });
  const read = await call(harness, 'GET', `/v1/income-checks/${created.id}`, { key });
  expect([read.status, read.json]).toEqual([200, created]);
});

test('a key that may only read gets no link', async () => {
  const reader = await harness.key({ grants: ['verify:read'] });
  const body = { sandbox: { auto_complete: false } };
  const { json: created } = await call(harness, 'POST', '/v1/income-checks', { key, body });
  const read = async (path: string) => (await call(harness, 'GET', `/v1${path}`, { key: reader.key })).json;
  expect(await read(`/income-checks/${created.id}`)).toEqual({ ...created, upload_url: null });
  expect((await read('/income-checks')).data[0]).toEqual({ ...created, upload_url: null });
});
