import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { describe, expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';
import { dataKeyOf } from '#test/support/rows/data-key.ts';
import { revoke, rotate } from '#test/support/rows/keys.ts';

const harness = await startHarness();
const { key } = await harness.key();

type Line = {
  subject_id: string;
  sequence: number;
  type: string;
  data: Record<string, unknown>;
  previous_hash: Buffer;
  hash: Buffer;
  created_at: Date;
};
const linesOf = async (id: string) =>
  await harness.rows<Line>`select * from ledger where subject_id = ${id} order by sequence`;

/** Computes the hash as an outsider would, from the stored columns and RFC 8785 alone. */
const hashOf = (line: Line) =>
  createHash('sha256')
    .update(
      canonicalize({
        subject_id: line.subject_id,
        sequence: line.sequence,
        previous_hash: line.previous_hash.toString('hex'),
        type: line.type,
        at: line.created_at.toISOString(),
        data: line.data,
      }) ?? '',
    )
    .digest('hex');

test('each transition is one line, and the chain can be computed again from what is stored', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { reference: 'geheim-42', sandbox: { auto_complete: false } },
  });
  await call(harness, 'POST', `/v1/verifications/${json.id}/complete`, { key });
  const lines = await linesOf(json.id);
  expect(lines.map(({ sequence, type }) => [sequence, type])).toEqual([
    [1, 'verification.created'],
    [2, 'verification.completed'],
  ]);
  let previous = Buffer.alloc(32).toString('hex');
  for (const line of lines) {
    expect(line.previous_hash.toString('hex')).toBe(previous);
    expect(line.hash.toString('hex')).toBe(hashOf(line));
    previous = line.hash.toString('hex');
  }
  expect(lines[1]?.data).toMatchObject({ from: 'pending', trigger: 'completed_by_api' });
});

describe('a line names who did it', () => {
  const actorsOf = async (id: string) =>
    (await linesOf(id)).map(({ type, data }) => [type, data.actor] as const);
  const operator = { kind: 'operator' };

  test('a create, a completion and the changes of an endpoint by its key', async () => {
    const { id: keyId, key } = await harness.key();
    const pending = { sandbox: { auto_complete: false } };
    const { json } = await call(harness, 'POST', '/v1/verifications', { key, body: pending });
    await call(harness, 'POST', `/v1/verifications/${json.id}/complete`, { key });
    const actor = { kind: 'key', id: keyId };
    expect(await actorsOf(json.id)).toEqual([
      ['verification.created', actor],
      ['verification.completed', actor],
    ]);

    const receiver = await startPartner(harness);
    const { id } = receiver.endpoint;
    await call(harness, 'POST', `/v1/webhooks/${id}/rotate-secret`, { key: receiver.key, body: {} });
    await call(harness, 'DELETE', `/v1/webhooks/${id}`, { key: receiver.key });
    const types = ['webhook.created', 'webhook.secret_rotated', 'webhook.deactivated'];
    const lines = await actorsOf(id);
    expect(lines.map(([type]) => type)).toEqual(types);
    const [row] = await harness.rows<{ id: string }>`
      select id from api_keys where org_id = ${receiver.organisationId}`;
    for (const [, by] of lines) expect(by).toEqual({ kind: 'key', id: row?.id });
  });

  test('a start and a submission by the person, and the verdict by the machine', async () => {
    const { key } = await harness.key();
    const body = { method: 'document_only', sandbox: { auto_complete: false } };
    const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
    const tester = person(harness, json.verify_url);
    await tester.start();
    await tester.specimen('passport_page');
    await tester.submit();
    await expect.poll(async () => (await linesOf(json.id)).length).toBe(4);
    expect((await actorsOf(json.id)).slice(1)).toEqual([
      ['verification.started', { kind: 'person' }],
      ['verification.submitted', { kind: 'person' }],
      ['verification.completed', { kind: 'machine' }],
    ]);
  });

  test('what happens to a key by the operator, without the key itself', async () => {
    const made = await harness.key({ rateLimit: 7 });
    const rotation = await rotate(harness.store, made.id, 60_000);
    const successor = 'successor' in rotation ? rotation.successor : expect.unreachable();
    expect(await revoke(harness.store, made.id)).toBe(true);
    expect(await revoke(harness.store, made.id)).toBe(false);
    const lines = await linesOf(made.id);
    expect(lines.map(({ type, data }) => [type, data.actor])).toEqual([
      ['key.created', operator],
      ['key.replaced', operator],
      ['key.revoked', operator],
    ]);
    expect(lines[0]?.data).toMatchObject({ environment: 'sandbox', rate_limit: 7, expires_at: null });
    expect(lines[1]?.data).toMatchObject({ replaced_by: successor.id });
    expect(await actorsOf(successor.id)).toEqual([['key.created', operator]]);
    for (const { key } of [made, successor])
      expect(JSON.stringify([lines, await linesOf(successor.id)])).not.toContain(key);
  });

  test('a request that a version without actors took is by a key that is not known', async () => {
    await harness.stopWorker();
    const { key } = await harness.key();
    const created = call(harness, 'POST', '/v1/verifications', { key });
    await expect
      .poll(async () => harness.rows`update requests set key_id = null where status = 'claimed' returning id`)
      .toHaveLength(1);
    await harness.startWorker();
    const { json } = await created;
    expect(await actorsOf(json.id)).toEqual([['verification.created', { kind: 'key', id: null }]]);
  });
});

test('personal values are sealed outside the chain, so that erasing them leaves it intact', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { reference: 'geheim-43' },
  });
  const [line] = await linesOf(json.id);
  if (line === undefined) throw new Error('no line');
  expect(JSON.stringify(line.data)).not.toContain('geheim-43');
  const [sealed] = await harness.rows<{ value: Buffer }>`
    select value from ledger_personal where subject_id = ${json.id} and sequence = ${line.sequence}`;
  const binding = `${json.id}/${line.sequence}`;
  expect(sealed?.value.toString('latin1')).not.toContain('geheim-43');
  const dataKey = await dataKeyOf(harness.rows, harness.ctx.secrets, json.id);
  expect(dataKey.open(binding, sealed?.value ?? Buffer.alloc(0)).toString()).toBe(
    '{"reference":"geheim-43"}',
  );
  await harness.rows`delete from ledger_personal where subject_id = ${json.id}`;
  expect(await linesOf(json.id)).toEqual([line]);
});
