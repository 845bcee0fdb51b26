import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();
const pending = { key, body: { reference: 'tenant', sandbox: { auto_complete: false } } };
const create = async () => (await call(harness, 'POST', '/v1/income-checks', pending)).json;
const change = (id: string, what: string) =>
  call(harness, 'POST', `/v1/income-checks/${id}/${what}`, { key });
const page = async (url: string) => (await fetch(url.replace(/^https?:\/\/[^/]+/, harness.url))).status;

test('a cancelled one has a page that says so, and a fresh link opens it again while the one before is unknown', async () => {
  const { id, upload_url: first } = await create();
  expect((await change(id, 'cancel')).json).toMatchObject({ id, object: 'income_check', status: 'pending' });
  const renewed = await change(id, 'link');
  expect(renewed.status).toBe(200);
  expect(renewed.json.upload_url).not.toBe(first);
  expect([await page(first), await page(renewed.json.upload_url)]).toEqual([404, 200]);
});

test('of an erased one only the history is left', async () => {
  const { id } = await create();
  const erased = await change(id, 'erase');
  expect([erased.status, erased.json.reference]).toEqual([200, null]);
  expect((await change(id, 'link')).json.error.code).toBe('erased');
});
