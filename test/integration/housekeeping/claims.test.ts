import { expect, test } from 'vitest';
import { purgeExpired } from '#services/retention/purge.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness();
const { key } = await harness.key();

const create = (idempotencyKey: string, body: object) =>
  call(harness, 'POST', '/v1/verifications', { key, body, headers: { 'idempotency-key': idempotencyKey } });
const purge = () =>
  purgeExpired({ ...harness.ctx, store: harness.housekeepingStore }, { what: 'claims', rowsMax: 1_000 });
const age = (id: string) =>
  harness.rows`update requests set created_at = now() - interval '24 hours 1 minute' where id = ${id}`;

test('a day after its answer, an idempotency key can be used anew, with another body too', async () => {
  const first = await create('used', { reference: 'a' });
  await purge();
  expect((await create('used', { reference: 'a' })).text).toBe(first.text);

  await age(first.json.id);
  await purge();
  const second = await create('used', { reference: 'b' });
  expect(second.status).toBe(201);
  expect(second.headers['idempotent-replayed']).toBeUndefined();
  expect(second.json.id).not.toBe(first.json.id);
  expect((await call(harness, 'GET', `/v1/verifications/${first.json.id}`, { key })).json.reference).toBe(
    'a',
  );
});

test('a claim without an answer is abandoned after a day: no workflow carries it out, and its key is free', async () => {
  await harness.stopWorker();
  const abandoned = create('never-answered', { reference: 'a' });
  const find = async () =>
    (await harness.rows`select id, input from requests where idempotency_key = 'never-answered'`)[0];
  await expect.poll(find, { timeout: 5_000 }).toMatchObject({ input: { reference: 'a' } });
  const id = String((await find())?.id);
  await purge();
  expect((await find())?.id).toBe(id);

  await age(id);
  await purge();
  expect(await find()).toBeUndefined();
  await harness.startWorker();
  expect((await abandoned).status).toBe(503);
  const workflow = harness.temporal.workflow.getHandle(`verification/${id}`);
  expect(await workflow.result()).toEqual({ status: 'abandoned' });
  expect((await call(harness, 'GET', `/v1/verifications/${id}`, { key })).status).toBe(404);

  const anew = await create('never-answered', { reference: 'b' });
  expect(anew.status).toBe(201);
  expect(anew.json.id).not.toBe(id);
});
