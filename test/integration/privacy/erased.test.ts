import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { createSigner } from '#platform/crypto/ed25519.ts';
import { rootFiles } from '#platform/crypto/root-files.ts';
import { inspectHistory } from '#services/inspection/history.ts';
import { signLedger } from '#services/ledger/roots.ts';
import { createErasureNotes, repeatErasures, undoneErasures } from '#services/privacy/erasures.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { settle } from '#test/support/people/as-operator.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { startReceiver } from '#test/support/people/receiver.ts';
import { dataKeyOf } from '#test/support/rows/data-key.ts';

const harness = await startHarness();
const { store } = harness;
const live = await harness.key({ environment: 'live' });
await settle(store, 'Acme', { eraseByKey: true });
const folder = await mkdtemp(join(tmpdir(), 'roots-'));
atTheEnd(() => rm(folder, { recursive: true }));
const roots = rootFiles(folder, createSigner([Buffer.alloc(32, 9)]));

const marker = `kanarie-${randomUUID()}`;

/** A live verification that a person has walked to its end, with a receiver that repeats what it receives. */
async function walked() {
  const receiver = await startReceiver({ status: 200, headers: { 'x-echo': marker } });
  await call(harness, 'POST', '/v1/webhooks', { key: live.key, body: { url: receiver.url } });
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    ...{ key: live.key, headers: { 'idempotency-key': marker.slice(-20) } },
    body: { method: 'document_only', reference: marker },
  });
  const user = person(harness, json.verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  await user.submit();
  await receiver.waitFor(1, 60_000);
  return { id: json.id as string, receiver };
}

const spellingsOf = (text: string | Buffer) => [
  ...(['utf8', 'hex', 'base64', 'base64url'] as const).map((encoding) =>
    Buffer.from(text).toString(encoding).replace(/=+$/, ''),
  ),
];

/** All rows of all tables as text, with bytes in hex. */
async function everything(): Promise<string> {
  const tables = await harness.rows<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`;
  const textOf = async ({ name }: { name: string }) =>
    (await harness.rows<{ row: string }>`select t::text as row from ${sql.table(name)} t`).map(
      ({ row }) => row,
    );
  return (await Promise.all(tables.map(textOf))).flat().join('\n');
}

test('of a person who walked through live nothing is left, in no table and nowhere in Temporal', async () => {
  const { id } = await walked();
  const key = await dataKeyOf(harness.rows, harness.ctx.secrets, id);
  const [sealed] = await harness.rows<{
    picture: Buffer;
  }>`select picture from evidence where verification_id = ${id}`;
  const pictureBytes = sealed?.picture.subarray(40, 80) ?? Buffer.alloc(0);
  const before = await everything();
  expect(before).toContain(marker);
  expect(before).toContain(pictureBytes.toString('hex'));

  expect((await call(harness, 'POST', `/v1/verifications/${id}/erase`, { key: live.key })).status).toBe(200);
  const after = await everything();
  expect(after).toContain(id);
  for (const secret of [marker, pictureBytes, key.bytes])
    for (const spelling of spellingsOf(secret)) expect(after.includes(spelling)).toBe(false);
  expect(await harness.rows`select 1 from data_keys where verification_id = ${id}`).toEqual([]);

  const handle = harness.temporal.workflow.getHandle(verificationWorkflowId(id));
  const stored = JSON.stringify([historyToJSON(await handle.fetchHistory()), (await handle.describe()).raw]);
  for (const spelling of spellingsOf(marker)) expect(stored.includes(spelling)).toBe(false);
  const faults: unknown[] = [];
  await inspectHistory({ store, roots: undefined }, (...fault) => void faults.push(fault));
  expect(faults).toEqual([]);
});

test('a value that the data key sealed opens no more, also from a copy that was taken before', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    ...{ key: live.key, body: { reference: 'copied before' } },
  });
  const [copied] = await harness.rows<{ value: Buffer }>`
    select value from ledger_personal where subject_id = ${json.id}`;
  await call(harness, 'POST', `/v1/verifications/${json.id}/erase`, { key: live.key });
  await expect(dataKeyOf(harness.rows, harness.ctx.secrets, json.id)).rejects.toThrow('no data key');
  expect(() =>
    harness.ctx.secrets.openBytes('ledger-personal', `${json.id}/1`, copied?.value ?? Buffer.alloc(0)),
  ).toThrow();
});

test('a database that is restored to the time before has its persons erased again by --repair', async () => {
  const body = { reference: 'before the restore' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key: live.key, body });
  await call(harness, 'POST', `/v1/verifications/${json.id}/erase`, { key: live.key });
  const note = createErasureNotes({ store }, roots);
  await note();
  await note();
  expect(await roots.erasures()).toContain(json.id);

  const found = async () => {
    const ids: string[] = [];
    for await (const { id } of undoneErasures({ store }, roots)) ids.push(id);
    return ids;
  };
  expect(await found()).toEqual([]);
  await harness.rows`
    update verifications set reference = 'back again', erased_at = null where id = ${json.id}`;
  await harness.rows`delete from ledger where subject_id = ${json.id} and type = 'verification.erased'`;
  expect(await found()).toEqual([json.id]);
  expect(await repeatErasures({ store }, roots)).toBe(1);
  expect(await found()).toEqual([]);
  const read = await call(harness, 'GET', `/v1/verifications/${json.id}`, { key: live.key });
  expect(read.json.reference).toBe(null);
});

test('the notes of erasures do not disturb the signed roots beside them', async () => {
  const ctx = { store, clock: harness.ctx.clock };
  expect((await signLedger(ctx, roots)).day).not.toBe(null);
  expect(await roots.days()).toHaveLength(1);
});
