import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPurge } from '#activities/purge-expired.ts';
import type { Decision } from '#contract/workflows.ts';
import { newUuid, uuidOfTime } from '#platform/crypto/crypto.ts';
import { createSigner } from '#platform/crypto/ed25519.ts';
import { rootFiles } from '#platform/crypto/root-files.ts';
import { keptMs } from '#policy/retention.ts';
import { inspectHistory } from '#services/inspection/history.ts';
import { type Entry, nextLine, personalValues } from '#services/ledger/append.ts';
import { signLedger } from '#services/ledger/roots.ts';
import { verdictForLedger } from '#services/ledger/verdict.ts';
import { newDataKey } from '#services/personal/data-key.ts';
import { purgeExpired } from '#services/retention/purge.ts';
import { scopeOfWorkflow } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { reportByOperator } from '#test/support/people/as-operator.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { queryAt } from '#test/support/servers/database.ts';

/** Housekeeping removes whole verifications. What it removes can be told from what an attacker removes. */

const harness = await startHarness({ worker: false });
const { ctx, store, housekeepingStore, rows } = harness;
const { key, organisationId: orgId } = await harness.key();
const folder = await mkdtemp(join(tmpdir(), 'removal-'));
atTheEnd(() => rm(folder, { recursive: true }));
const roots = rootFiles(folder, createSigner([Buffer.alloc(32, 21)]));

const day = 86_400_000;
const scope = scopeOfWorkflow({ orgId, environment: 'sandbox' });
const verdict: Decision = {
  ...{ outcome: 'approved', assuranceLevel: 'substantial' },
  ...{ reasonIds: [], checks: [], reviewed: false },
};
const { json: endpoint } = await call(harness, 'POST', '/v1/webhooks', {
  key,
  body: { url: 'https://127.0.0.1/hooks' },
});

const tablesOf = async (id: string) => {
  const [found] = await rows`
    select
      (select count(*)::int from verifications where id = ${id}) as verifications,
      (select count(*)::int from events where verification_id = ${id}) as events,
      (select count(*)::int from evidence where verification_id = ${id}) as evidence,
      (select count(*)::int from commands where verification_id = ${id}) as commands,
      (select count(*)::int from examinations where verification_id = ${id}) as examinations,
      (select count(*)::int from requests where id = ${id}) as requests,
      (select count(*)::int from ledger_personal where subject_id = ${id}) as personal`;
  return found;
};
const linesOf = (id: string) =>
  rows<{ type: string; sequence: number; data: Record<string, unknown> }>`
    select type, sequence, data from ledger where subject_id = ${id} order by sequence`;

/** A chain whose lines are all of this time. The first has a personal value. */
async function chainAt(at: Date, lines: [Entry['type'], object][]): Promise<string> {
  const id = `${uuidOfTime(at).slice(0, 14)}${newUuid().slice(14)}`;
  await store.transaction(async (tx) => {
    const { key, write } = newDataKey(ctx, tx, scope, id);
    const personal = personalValues(key, { reference: 'r' });
    await writeAtOnce(tx, [write]);
    for (const [place, [type, data]] of lines.entries())
      await writeAtOnce(
        tx,
        await nextLine(tx, scope, {
          ...{ subjectId: id, type, actor: { kind: 'machine' }, data: { ...data }, at },
          ...(place === 0 && { personal }),
        }),
      );
  });
  return id;
}

/** A verification that was created and completed at this time, with a row in each table that refers to it. */
async function completedAt(at: Date): Promise<string> {
  const id = await chainAt(at, [
    ['verification.created', {}],
    ['verification.completed', { verdict: verdictForLedger(verdict) }],
  ]);
  await rows`
    insert into verifications
      (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at, verdict, created_at, completed_at)
    values (${id}, ${orgId}, 'sandbox', 'completed', 'document_only', ${`dos_${id}`}, 'k', ${at},
      ${JSON.stringify(verdict)}::jsonb, ${at}, ${at})`;
  await rows`
    with event as (
      insert into events (id, org_id, environment, type, verification_id, body)
      values (${`evt_${newUuid()}`}, ${orgId}, 'sandbox', 'verification.completed', ${id}, '\\x7b7d') returning id
    ), delivery as (
      insert into deliveries (id, org_id, environment, event_id, endpoint_id, trigger, status, attempts_allowed)
      select ${newUuid()}::uuid, ${orgId}, 'sandbox', id, ${endpoint.id}, 'resend', 'delivered', 6 from event returning id
    )
    insert into delivery_attempts (delivery_id, number) select id, 1 from delivery`;
  await rows`
    insert into evidence (verification_id, kind, org_id, environment) values (${id}, 'selfie', ${orgId}, 'sandbox')`;
  await rows`insert into commands (verification_id, request_id, name, data) values (${id}, 'r', 'start', '{}')`;
  await rows`insert into examinations (verification_id, number) values (${id}, 1)`;
  await rows`
    insert into requests (id, org_id, environment, operation, fingerprint, status)
    values (${id}, ${orgId}, 'sandbox', 'create_verification', '\\x00', 'answered')`;
  return id;
}

let days = 0;
const signNextDay = () => {
  const now = new Date(Date.now() + ++days * day);
  return signLedger({ store, clock: { ...ctx.clock, now: () => now } }, roots);
};
const ago = (ms: number) => new Date(Date.now() - ms);
const purge = (what: 'completed_verifications' | 'abandoned_verifications' | 'evidence') =>
  purgeExpired({ store: housekeepingStore, clock: ctx.clock }, { what, rowsMax: 100 });

async function faults(): Promise<[string, string][]> {
  const found: [string, string][] = [];
  await inspectHistory({ store, roots }, (fault, id) => void found.push([fault, id]));
  return found;
}

const nothing = {
  ...{ verifications: 0, events: 0, evidence: 0, commands: 0 },
  ...{ examinations: 0, requests: 0, personal: 0 },
};

test('five years after its completion a verification is gone from every table that names it, and a line says so', async () => {
  const old = await completedAt(ago(keptMs.completed_verifications + day));
  expect(Object.values((await tablesOf(old)) ?? {})).toEqual(Object.values(nothing).map(() => 1));
  await signLedger({ store, clock: ctx.clock }, roots);
  expect(await purge('completed_verifications')).toEqual({ rows: 1 });
  expect(await tablesOf(old)).toEqual(nothing);
  expect(await linesOf(old)).toEqual([
    {
      type: 'verification.removed',
      sequence: 3,
      data: {
        ...{ what: 'completed_verifications', actor: { kind: 'machine' } },
        hashes: Array(2).fill(expect.stringMatching(/^[0-9a-f]{64}$/)),
      },
    },
  ]);
  expect((await call(harness, 'GET', `/v1/verifications/${old}`, { key })).status).toBe(404);
  const { json } = await call(harness, 'GET', `/v1/webhooks/${endpoint.id}/deliveries`, { key });
  expect(json.data).toHaveLength(1);
  expect(JSON.stringify(json)).not.toContain(old);
  expect(await faults()).toEqual([]);
});

test('what nobody finished is removed 90 days after its link, and what has a valid link stays', async () => {
  const body = { sandbox: { auto_complete: false } };
  const harnessed = await startHarness();
  const { key } = await harnessed.key();
  const [old, young] = [
    (await call(harnessed, 'POST', '/v1/verifications', { key, body })).json.id,
    (await call(harnessed, 'POST', '/v1/verifications', { key, body })).json.id,
  ];
  const end = ago(90 * day + 60_000);
  await harnessed.rows`update verifications set link_expires_at = ${end} where id = ${old}`;
  await harnessed.rows`update ledger set created_at = ${new Date(end.getTime() - 7 * day)} where subject_id = ${old}`;
  const order = { what: 'abandoned_verifications', rowsMax: 100 } as const;
  // A row that its workflow holds just now is left to the next run.
  await expect
    .poll(() => purgeExpired({ store: harnessed.housekeepingStore, clock: ctx.clock }, order))
    .toEqual({ rows: 1 });
  expect((await call(harnessed, 'GET', `/v1/verifications/${old}`, { key })).status).toBe(404);
  expect((await call(harnessed, 'GET', `/v1/verifications/${young}`, { key })).status).toBe(200);
});

test('a chain that went on after it was signed is removed lawfully, as the signed end shows', async () => {
  const id = await completedAt(ago(keptMs.completed_verifications + 5 * day));
  await rows`update verifications set environment = 'live' where id = ${id}`;
  const { chains } = await signNextDay();
  const endedOn = ago(keptMs.completed_verifications + 3 * day)
    .toISOString()
    .slice(0, 10);
  expect(await reportByOperator({ store }, { id, endedOn })).toMatchObject({ isNew: true });
  expect(await purge('completed_verifications')).toEqual({ rows: 1 });
  expect(await linesOf(id)).toMatchObject([{ type: 'verification.removed', sequence: 4 }]);
  expect(await faults()).toEqual([]);
  expect(await signNextDay()).toMatchObject({ chains, broken: 0 });
});

test('whoever starts at once has a link of a day, and the removal 90 days later is lawful', async () => {
  const created = ago(91 * day + 60_000);
  const id = await chainAt(created, [
    ['verification.created', { status: 'pending' }],
    ['verification.started', {}],
  ]);
  await rows`
    insert into verifications (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at, created_at)
    values (${id}, ${orgId}, 'sandbox', 'in_progress', 'document_only', ${`dos_${id}`}, 'k', ${new Date(created.getTime() + day)}, ${created})`;
  expect(await purge('abandoned_verifications')).toEqual({ rows: 1 });
  expect(await linesOf(id)).toMatchObject([{ type: 'verification.removed' }]);
  expect(await faults()).toEqual([]);
});

describe('somebody with the role of the application has nothing removed', () => {
  const asApplication = (statement: string) => queryAt(harness.roleUrls.app, statement);
  const longAgo = `'2001-01-01'`;

  test.each([
    ['completed_verifications', `completed_at = ${longAgo}`],
    ['completed_verifications', `relation_ended_at = ${longAgo}`],
    ['abandoned_verifications', `status = 'pending', link_expires_at = ${longAgo}`],
  ] as const)('as %s by a change of the row: %s', async (what, change) => {
    const id = await completedAt(ago(200 * day));
    const lawful = await completedAt(ago(keptMs.completed_verifications + day));
    await asApplication(`update verifications set ${change} where id = '${id}'`);
    const said: object[] = [];
    const log = { error: (fields: object) => void said.push(fields) };
    const purged = await createPurge(
      { store: housekeepingStore, clock: ctx.clock },
      log,
    )({ what, rowsMax: 1 });
    // The row with the oldest time is first, and holds up no other.
    if (what === 'completed_verifications') {
      expect(purged).toEqual({ rows: 1 });
      expect(await linesOf(lawful)).toMatchObject([{ type: 'verification.removed' }]);
    }
    expect(await purge(what)).toEqual({ rows: 0, held: [id] });
    expect(await linesOf(id)).toHaveLength(2);
    expect(await tablesOf(id)).toMatchObject({ verifications: 1, evidence: 1, personal: 1 });
    expect(await faults()).toContainEqual(['differs_from_ledger', id]);
    await createPurge({ store: housekeepingStore, clock: ctx.clock }, log)({ what, rowsMax: 1 });
    expect(said.at(-1)).toEqual({ what, verifications: 1, first: id });
    await rows`
      update verifications set status = 'completed', completed_at = created_at, link_expires_at = created_at,
        relation_ended_at = null where id = ${id}`;
    await purge('completed_verifications');
  });

  test('by a line of long ago that it adds with the row', async () => {
    const id = await completedAt(ago(200 * day));
    const at = new Date('2001-01-01T00:00:00Z');
    await store.transaction(async (tx) => {
      const added = (type: Entry['type'], data: object) =>
        nextLine(tx, scope, { subjectId: id, type, actor: { kind: 'machine' }, data: { ...data }, at });
      await writeAtOnce(tx, await added('verification.completed', { verdict: verdictForLedger(verdict) }));
      await writeAtOnce(tx, await added('relation.ended', { ended_on: '2001-01-01' }));
    });
    await asApplication(
      `update verifications set completed_at = ${longAgo}, relation_ended_at = '2001-01-02T00:00:00Z' where id = '${id}'`,
    );
    expect(await purge('completed_verifications')).toEqual({ rows: 0, held: [id] });
    expect(await linesOf(id)).toHaveLength(4);
  });

  test('by another end of the link of somebody who has just begun', async () => {
    const id = await chainAt(ago(day), [['verification.created', { status: 'pending' }]]);
    await rows`
      insert into verifications (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at)
      values (${id}, ${orgId}, 'sandbox', 'pending', 'document_only', ${`dos_${id}`}, 'k', now())`;
    await asApplication(`update verifications set link_expires_at = ${longAgo} where id = '${id}'`);
    expect(await purge('abandoned_verifications')).toEqual({ rows: 0, held: [id] });
    expect(await linesOf(id)).toHaveLength(1);
  });
});

describe('somebody with the role of housekeeping is named who', async () => {
  const asAttacker = (statement: string) => queryAt(harness.roleUrls.housekeeping, statement);
  const write = (subjectId: string, type: Entry['type'], data: object = {}) =>
    housekeepingStore.transaction(async (tx) => {
      const entry: Entry = { subjectId, type, actor: { kind: 'machine' }, data: { ...data }, at: new Date() };
      await writeAtOnce(tx, await nextLine(tx, scope, entry));
    });

  test.each([
    ['that names no reason', {}, keptMs.completed_verifications + day],
    ['as of one that nobody finished', { what: 'abandoned_verifications' }, 90 * day],
    [
      'as of one whose years are over',
      { what: 'completed_verifications' },
      keptMs.completed_verifications - day,
    ],
  ])('removes a chain that is too young and writes the line of a removal, %s', async (_, data, ageMs) => {
    const id = await completedAt(ago(ageMs));
    const { broken } = await signNextDay();
    expect(broken).toBe(0);
    await write(id, 'verification.removed', data);
    await asAttacker(`delete from ledger where subject_id = '${id}' and sequence < 3`);
    const found = await faults();
    expect(found).toContainEqual(['broken_chain', id]);
    expect(found).toContainEqual(['not_as_signed', id]);
    await asAttacker(`delete from ledger where subject_id = '${id}'`);
    await signNextDay();
  });

  test('cuts the beginning of a chain, or its end', async () => {
    const [beginning, end] = [await completedAt(ago(day)), await completedAt(ago(day))];
    await asAttacker(`delete from ledger where subject_id = '${beginning}' and sequence = 1`);
    await asAttacker(`delete from ledger where subject_id = '${end}' and sequence = 2`);
    const found = await faults();
    expect(found).toContainEqual(['broken_chain', beginning]);
    expect(found).toContainEqual(['differs_from_ledger', end]);
  });

  test('removes the row and leaves the chain', async () => {
    const id = await completedAt(ago(day));
    await asAttacker(`delete from evidence where verification_id = '${id}'`);
    await asAttacker(`delete from verifications where id = '${id}'`);
    expect(await faults()).toContainEqual(['lacks_row', id]);
  });

  test('writes on after a removal', async () => {
    const old = await completedAt(ago(keptMs.completed_verifications + day));
    await purge('completed_verifications');
    await write(old, 'verification.completed');
    expect(await faults()).toContainEqual(['broken_chain', old]);
  });
});

test('the ledger notes which pictures were deleted, and the row still agrees with its chain', async () => {
  const live = await harness.key({ environment: 'live' });
  await harness.startWorker();
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key: live.key,
    body: { method: 'document_only' },
  });
  const tester = person(harness, json.verify_url);
  await tester.start();
  await tester.upload('passport_page', await anyPicture());
  await rows`update evidence set expires_at = ${ago(1_000)} where verification_id = ${json.id}`;
  expect(await purge('evidence')).toEqual({ rows: 1 });
  const lines = await linesOf(json.id);
  expect(lines.at(-1)).toMatchObject({ type: 'evidence.purged', data: { kinds: ['passport_page'] } });
  expect((await faults()).filter(([, id]) => id === json.id)).toEqual([]);
});
