import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '#platform/crypto/canonical-json.ts';
import { sha256 } from '#platform/crypto/crypto.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness();
const { key } = await harness.key();

const create = (idempotencyKey: string | string[], body?: unknown, withKey = key) =>
  call(harness, 'POST', '/v1/verifications', {
    key: withKey,
    body,
    headers: { 'idempotency-key': idempotencyKey },
  });

const count = async () =>
  Number((await harness.rows<{ n: string }>`select count(*) as n from verifications`)[0]?.n);

describe('the same Idempotency-Key', () => {
  test('with the same body gives the same bytes and no second verification', async () => {
    covers('4.1/idempotent-replay', '4.1/idempotent-creates-once');
    const before = await count();
    const first = await create('again', { reference: 'r1', method: 'idin' });
    const second = await create('again', { method: 'idin', reference: 'r1' });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect(second.headers['content-type']).toBe(first.headers['content-type']);
    expect(await count()).toBe(before + 1);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  test.each([[['twice', 'twice']], [['twice', 'other']]])(
    'sent twice with one request (%j) is 400 and creates nothing, so the repetition is the first',
    async (keys) => {
      const before = await count();
      const { status, json } = await create(keys, { reference: 'twice' });
      expect([status, json.error.code]).toEqual([400, 'malformed_request']);
      const ids = [];
      for (let round = 0; round < 2; round++)
        ids.push((await create(keys.join(), { reference: 'twice' })).json.id);
      expect([new Set(ids).size, await count()]).toEqual([1, before + 1]);
    },
  );

  test('gives the first answer even after the verification has moved on', async () => {
    covers('4.1/idempotent-replay');
    const first = await create('moved-on', { sandbox: { auto_complete: false } });
    const { status } = await call(harness, 'POST', `/v1/verifications/${first.json.id}/complete`, { key });
    expect(status).toBe(200);
    const second = await create('moved-on', { sandbox: { auto_complete: false } });
    expect(second.text).toBe(first.text);
    expect(second.json.status).toBe('pending');
  });

  test('with a different body is 422 idempotency_key_reused', async () => {
    covers('4.1/idempotency-key-reused', '7.1/422-idempotency-key-reused');
    expect((await create('other-body', { reference: 'a' })).status).toBe(201);
    const { status, json } = await create('other-body', { reference: 'b' });
    expect(status).toBe(422);
    expect(json.error).toMatchObject({ type: 'idempotency_error', code: 'idempotency_key_reused' });
  });

  test('with an absent body equals an empty object, and differs from a default written out', async () => {
    const first = await create('absent');
    expect((await create('absent', {})).text).toBe(first.text);
    expect((await create('absent', { method: 'document_liveness' })).status).toBe(422);
  });

  test('from 50 callers at once gives one verification and one body', async () => {
    covers('4.1/idempotent-creates-once');
    const before = await count();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => create('crowd', { reference: 'one' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  test('belongs to one organisation and one environment', async () => {
    covers('5/key-determines-environment-and-organisation', '1/organisation-isolation');
    const others = [await harness.key({ environment: 'live' }), await harness.key({ org: 'Other' })];
    const first = await create('shared', { reference: 'a' });
    for (const other of others) {
      const answer = await create('shared', { reference: 'b' }, other.key);
      expect(answer.status).toBe(201);
      expect(answer.json.id).not.toBe(first.json.id);
      expect(answer.json).toMatchObject({ environment: other.environment, reference: 'b' });
    }
  });

  test('is looked at after validation, so a refused request does not use it up', async () => {
    expect((await create('refused', { method: 'telepathy' })).status).toBe(422);
    expect((await create('refused', { method: 'idin' })).status).toBe(201);
  });

  test('is free again after 24 hours', async () => {
    const first = await create('old', { reference: 'a' });
    await harness.rows`update requests set created_at = now() - interval '25 hours' where id = ${first.json.id}`;
    const answers = await Promise.all(Array.from({ length: 10 }, () => create('old', { reference: 'b' })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.json.id).not.toBe(first.json.id);
    const rows =
      await harness.rows`select idempotency_key, answer, status from requests where id = ${first.json.id}`;
    expect(rows).toEqual([{ idempotency_key: null, answer: null, status: 'answered' }]);
  });

  test('of a request that the version before stored gives its answer after the upgrade', async () => {
    const body = { reference: 'before the upgrade' };
    const first = await create('upgraded', body);
    const plain = sha256(`POST /v1/verifications ${canonicalJson(body)}`);
    await harness.rows`update requests set fingerprint = ${plain} where id = ${first.json.id}`;
    expect((await create('upgraded', body)).text).toBe(first.text);
    expect((await create('upgraded', { reference: 'other' })).json.error.code).toBe('idempotency_key_reused');
  });

  test('claimed but never answered binds its body, and a repeat carries out that very request', async () => {
    await harness.stopWorker();
    const claimed = create('lost', { reference: 'a' });
    const id = await untilClaimed('lost');
    expect((await create('lost', { reference: 'b' })).json.error.code).toBe('idempotency_key_reused');
    await harness.startWorker();
    const [first, second] = [await claimed, await create('lost', { reference: 'a' })];
    expect(first.json.id).toBe(id);
    expect(second.text).toBe(first.text);
  });
});

test('an abandoned claim can no longer be carried out', async () => {
  await harness.stopWorker();
  const abandoned = create('given-up', { reference: 'a' });
  const id = await untilClaimed('given-up');
  await harness.rows`update requests set created_at = now() - interval '25 hours' where id = ${id}`;
  const successor = create('given-up', { reference: 'b' });
  await expect.poll(() => statusOf(id)).toBe('abandoned');
  await harness.startWorker();
  expect((await abandoned).status).toBe(503);
  expect((await successor).status).toBe(201);
  expect((await call(harness, 'GET', `/v1/verifications/${id}`, { key })).status).toBe(404);
});

test.each([
  ['empty', ''],
  ['256 characters', 'k'.repeat(256)],
  ['not ASCII', 'sleutel-\u00e9'],
])('a key that is %s is 422', async (_, idempotencyKey) => {
  const { status, json } = await create(idempotencyKey);
  expect(status).toBe(422);
  expect(json.error.message).toContain('Idempotency-Key');
});

test('a key of 255 printable characters, spaces among them, is accepted', async () => {
  expect((await create(`~ ${'k'.repeat(253)}`)).status).toBe(201);
});

test('the stored answer holds a link, so neither it nor the link can be read in the database', async () => {
  const { json } = await create(randomUUID(), { reference: 'geheim-42' });
  const token = json.verify_url.split('/').at(-1);
  const rows = await harness.rows<{
    row: string;
  }>`select r::text || coalesce(encode(answer, 'escape'), '') as row from requests r where id = ${json.id}`;
  expect(rows[0]?.row).toBeDefined();
  expect(rows[0]?.row).not.toContain(token);
  expect(rows[0]?.row).not.toContain('geheim-42');
});

async function untilClaimed(idempotencyKey: string): Promise<string> {
  const find = async () =>
    (await harness.rows<{ id: string }>`select id from requests where idempotency_key = ${idempotencyKey}`)[0]
      ?.id;
  await expect.poll(find).toBeDefined();
  return String(await find());
}

const statusOf = async (id: string) =>
  (await harness.rows<{ status: string }>`select status from requests where id = ${id}`)[0]?.status;
