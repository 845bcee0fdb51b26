import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { callerOfOperator } from '#services/caller.ts';
import { pauseWebhook, resumeWebhook } from '#services/deliveries/pause-endpoint.ts';
import { type HistoryFault, inspectHistory } from '#services/inspection/history.ts';
import { type Entry, lineHash } from '#services/ledger/append.ts';
import { changeRole, disableMember, enableMember } from '#services/members/manage.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { inviteByOperator, reportByOperator } from '#test/support/people/as-operator.ts';
import { startReceiver } from '#test/support/people/receiver.ts';
import { queryAt } from '#test/support/servers/database.ts';

/**
 * Somebody has stolen the role of the application and changes what the history tells. Each attempt is refused by the database, or named
 * by the inspection. The role of the owner is in `signed-ends.test.ts`, and what the roles may not do at all in `store/roles.test.ts`.
 */
const harness = await startHarness();
const { key, organisationId: orgId } = await harness.key({ org: 'Acme' });
const operator = callerOfOperator({ orgId, environment: 'live' });

const attack = (statement: string) => queryAt(harness.roleUrls.app, statement);

async function faults(): Promise<[HistoryFault, string][]> {
  const found: [HistoryFault, string][] = [];
  await inspectHistory({ store: harness.store, roots: undefined }, (fault, id) => found.push([fault, id]));
  return found;
}

/** The inspection names the subject until the harm is undone. */
async function expectNamed(id: string, fault: HistoryFault, { harm, undo }: Record<'harm' | 'undo', string>) {
  expect(await faults()).toEqual([]);
  await attack(harm);
  expect(await faults()).toContainEqual([fault, id]);
  await queryAt(harness.databaseUrl, undo);
  expect(await faults()).toEqual([]);
}

async function completed(): Promise<string> {
  const { json } = await call(harness, 'POST', '/v1/verifications', { key });
  await expect
    .poll(async () => (await call(harness, 'GET', `/v1/verifications/${json.id}`, { key })).json.status)
    .toBe('completed');
  return json.id;
}

async function invited(): Promise<string> {
  const wanted = { email: `${randomUUID()}@example.com`, role: 'auditor' } as const;
  const made = await inviteByOperator(harness.store, 'Acme', wanted);
  if ('refused' in made) throw new Error(made.refused);
  return made.memberId;
}

test('what the product writes itself is no fault', async () => {
  const id = await completed();
  await harness.rows`update verifications set environment = 'live' where id = ${id}`;
  const today = new Date().toISOString().slice(0, 10);
  expect(await reportByOperator(harness, { id, endedOn: null })).toMatchObject({ isNew: true });
  expect(await faults()).toEqual([]);
  const completion = new Date(Date.now() - 9 * 86_400_000);
  await harness.rows`update verifications set completed_at = ${completion} where id = ${id}`;
  expect(await reportByOperator(harness, { id, endedOn: today })).toMatchObject({ isNew: true });
  await harness.rows`
    update verifications set completed_at = (select created_at from ledger where subject_id = ${id} and sequence = 1)
    where id = ${id}`;
  expect(await faults()).toEqual([]);
  const member = await invited();
  await harness.rows`update members set joined_at = now() where id = ${member}`;
  expect(await faults()).toEqual([['differs_from_ledger', member]]);
  await harness.rows`update members set joined_at = null where id = ${member}`;
  await changeRole(harness, operator, { id: member, role: 'reviewer' });
  await disableMember(harness, operator, { id: member });
  expect(await faults()).toEqual([]);
  await enableMember(harness, operator, { id: member });
  expect(await faults()).toEqual([]);
});

describe('a line that is added by hand', () => {
  const lastOf = async (id: string) => {
    const [last] = await harness.rows<{ sequence: number; hash: Buffer }>`
      select sequence, hash from ledger where subject_id = ${id} order by sequence desc limit 1`;
    if (last === undefined) throw new Error('no line');
    return last;
  };
  const lineOf = (subjectId: string, sequence: number, previous: Buffer, hash: Buffer, data: object = {}) =>
    `insert into ledger (subject_id, sequence, org_id, type, data, previous_hash, hash, created_at)
     values ('${subjectId}', ${sequence}, '${orgId}', 'verification.reviewed', '${JSON.stringify(data)}',
       '\\x${previous.toString('hex')}', '\\x${hash.toString('hex')}', '2026-01-01T00:00:00Z')`;
  const removed = (id: string, sequence: number) =>
    `delete from ledger where subject_id = '${id}' and sequence = ${sequence}`;

  test('in the middle is refused, since its place is taken', async () => {
    const id = await completed();
    const { hash } = await lastOf(id);
    await expect(attack(lineOf(id, 1, hash, hash))).rejects.toMatchObject({ code: '23505' });
  });

  test.each([
    ['right after the end', 1],
    ['after a gap', 2],
  ])('%s without the right hash is named', async (_, further) => {
    const id = await completed();
    const { sequence, hash } = await lastOf(id);
    await expectNamed(id, 'broken_chain', {
      harm: lineOf(id, sequence + further, hash, hash),
      undo: removed(id, sequence + further),
    });
  });

  test('with the right hash, but without the verdict in the row, is named', async () => {
    const id = await completed();
    const last = await lastOf(id);
    const type: Entry['type'] = 'verification.reviewed';
    const data = { verdict: { outcome: 'rejected' } };
    const hash = lineHash(last, { subjectId: id, type, data, at: new Date('2026-01-01T00:00:00Z') });
    await expectNamed(id, 'differs_from_ledger', {
      harm: lineOf(id, last.sequence + 1, last.hash, hash, data),
      undo: removed(id, last.sequence + 1),
    });
  });

  test('for a subject that does not exist is named', async () => {
    const id = randomUUID();
    const hash = Buffer.alloc(32);
    await expectNamed(id, 'lacks_row', { harm: lineOf(id, 1, hash, hash), undo: removed(id, 1) });
  });
});

test('a key whose chain was removed is named, in use, revoked and replaced', async () => {
  for (const change of ['name = name', 'revoked_at = now()', 'replaced_by = id']) {
    const { id } = await harness.key({ org: 'Acme' });
    await queryAt(
      harness.databaseUrl,
      `create table kept as select * from ledger where subject_id = '${id}'`,
    );
    await queryAt(harness.databaseUrl, `delete from ledger where subject_id = '${id}'`);
    await queryAt(harness.databaseUrl, `update api_keys set ${change} where id = '${id}'`);
    expect(await faults()).toEqual([['differs_from_ledger', id]]);
    await queryAt(
      harness.databaseUrl,
      `update api_keys set revoked_at = null, replaced_by = null where id = '${id}'`,
      'insert into ledger select * from kept',
      'drop table kept',
    );
    expect(await faults()).toEqual([]);
  }
});

describe('a row that is changed by hand is named', () => {
  test.each([
    ['another verdict', `verdict = jsonb_set(verdict, '{outcome}', '"rejected"')`],
    ['no verdict any more', `status = 'pending', verdict = null`],
    ['another time of completion, so that it is removed early', `completed_at = '2001-01-01'`],
    ['an end of the relationship, so that it is removed early', `relation_ended_at = '2001-01-01'`],
    ['a relationship that goes on, so that it is kept for ever', 'relation_continues = true'],
  ])('a verification: %s', async (_, change) => {
    const id = await completed();
    const [before] = await harness.rows<{ verdict: object; at: Date }>`
      select verdict, completed_at as at from verifications where id = ${id}`;
    await expectNamed(id, 'differs_from_ledger', {
      harm: `update verifications set ${change} where id = '${id}'`,
      undo: `update verifications set status = 'completed', verdict = '${JSON.stringify(before?.verdict)}',
        completed_at = '${before?.at.toISOString()}', relation_ended_at = null, relation_continues = false where id = '${id}'`,
    });
  });

  test.each([
    ['cancelled', 'cancelled_at'],
    ['withdrawn', 'withdrawn_at'],
  ])('a verification: %s', async (_, column) => {
    const id = await completed();
    await expectNamed(id, 'differs_from_ledger', {
      harm: `update verifications set ${column} = now() where id = '${id}'`,
      undo: `update verifications set ${column} = null where id = '${id}'`,
    });
  });

  test('a verification: no longer cancelled', async () => {
    const body = { sandbox: { auto_complete: false } };
    const { id } = (await call(harness, 'POST', '/v1/verifications', { key, body })).json;
    expect((await call(harness, 'POST', `/v1/verifications/${id}/cancel`, { key })).status).toBe(200);
    await expectNamed(id, 'differs_from_ledger', {
      harm: `update verifications set cancelled_at = null where id = '${id}'`,
      undo: `update verifications set cancelled_at = now() where id = '${id}'`,
    });
    expect((await call(harness, 'POST', `/v1/verifications/${id}/erase`, { key })).status).toBe(200);
    expect(await faults()).toEqual([]);
  });

  test.each([
    ['by a member', 'paused_at = now()'],
    ['by the operator', `paused_at = now(), paused_by = 'operator'`],
  ])('an endpoint: paused %s', async (_, change) => {
    const { url } = await startReceiver({ status: 200 });
    const { json } = await call(harness, 'POST', '/v1/webhooks', { key, body: { url } });
    await expectNamed(json.id, 'differs_from_ledger', {
      harm: `update webhook_endpoints set ${change} where id = '${json.id}'`,
      undo: `update webhook_endpoints set paused_at = null, paused_by = null where id = '${json.id}'`,
    });
    for (const change of [pauseWebhook, resumeWebhook]) {
      await change(harness, operator, { id: json.id });
      expect(await faults()).toEqual([]);
    }
  });

  test('a verification: another end of a link that was renewed', async () => {
    const body = { sandbox: { auto_complete: false } };
    const { id } = (await call(harness, 'POST', '/v1/verifications', { key, body })).json;
    expect((await call(harness, 'POST', `/v1/verifications/${id}/link`, { key })).status).toBe(200);
    const [{ at } = { at: new Date(0) }] = await harness.rows<{ at: Date }>`
      select link_expires_at as at from verifications where id = ${id}`;
    await expectNamed(id, 'differs_from_ledger', {
      harm: `update verifications set link_expires_at = '2001-01-01' where id = '${id}'`,
      undo: `update verifications set link_expires_at = '${at.toISOString()}' where id = '${id}'`,
    });
  });

  test.each([
    ['a role that nobody gave', `role = 'owner'`, `role = 'auditor'`],
    ['a password without an invitation', 'joined_at = now()', 'joined_at = null'],
    ['disabled', 'disabled_at = now()', 'disabled_at = null'],
  ])('a member: %s', async (_, change, back) => {
    const id = await invited();
    await expectNamed(id, 'differs_from_ledger', {
      harm: `update members set ${change} where id = '${id}'`,
      undo: `update members set ${back} where id = '${id}'`,
    });
  });

  test('a member whom nobody invited', async () => {
    const id = randomUUID();
    await expectNamed(id, 'differs_from_ledger', {
      harm: `insert into members (id, org_id, email, role, joined_at) values ('${id}', '${orgId}', 'x@example.com', 'owner', now())`,
      undo: `delete from members where id = '${id}'`,
    });
  });

  test('a key that nobody made', async () => {
    const id = randomUUID();
    await expectNamed(id, 'differs_from_ledger', {
      harm: `insert into api_keys (id, org_id, environment, display, hash, grants)
        values ('${id}', '${orgId}', 'live', 'svc_live_…', sha256('${id}'::bytea), '{verify:write}')`,
      undo: `delete from api_keys where id = '${id}'`,
    });
  });

  test('a setting: a machine may decide', async () => {
    await expectNamed(orgId, 'differs_from_ledger', {
      harm: `update organisations set decisions = 'machine_may_decide' where id = '${orgId}'`,
      undo: `update organisations set decisions = 'people' where id = '${orgId}'`,
    });
  });
});
