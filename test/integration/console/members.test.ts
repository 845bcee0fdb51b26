import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { inspectHistory } from '#services/inspection/history.ts';
import { removeMember } from '#services/members/manage.ts';
import { startHarness } from '#test/support/harness.ts';
import { asOwner } from '#test/support/people/as-member.ts';
import { goodPassword, joins, newVisitor } from '#test/support/people/console.ts';
import { queryAt } from '#test/support/servers/database.ts';

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();
const owner = await joins(harness, url);

const about = (memberId: string, action: string, fields = {}) =>
  owner.visitor.submit(`/members/${memberId}`, `/members/${memberId}/${action}`, fields);
const lines = () =>
  harness.rows<{ type: string; data: { actor: object; member_id: string } }>`
    select type, data from ledger
    where subject_id = (select org_id from members where id = ${owner.memberId}) order by sequence`;

test('every change is a line in the chain of the organisation, by the member who made it', async () => {
  const { memberId } = await joins(harness, url, { role: 'auditor' });
  const before = (await lines()).length;
  await about(memberId, 'role', { role: 'developer' });
  await about(memberId, 'disable', { sure: 'yes' });
  await about(memberId, 'enable');
  await about(memberId, 'reset');
  const added = (await lines()).slice(before);
  expect(added.map(({ type }) => type)).toEqual([
    ...['member.role_changed', 'member.disabled', 'member.enabled', 'member.reset_link_made'],
  ]);
  for (const { data } of added)
    expect(data).toMatchObject({ member_id: memberId, actor: { kind: 'member', id: owner.memberId } });
  expect(added[0]?.data).toMatchObject({ from: 'auditor', to: 'developer' });
  const all = await lines();
  expect(all[0]).toMatchObject({ type: 'member.invited', data: { actor: { kind: 'operator' } } });
  expect(all.filter(({ type }) => type === 'member.joined').length).toBeGreaterThan(0);
});

test('the chain that the changes of members make holds, and agrees with the settings', async () => {
  await harness.settings({ evidenceDays: 20 });
  await joins(harness, url, { role: 'auditor' });
  const faults: string[] = [];
  await inspectHistory({ store: harness.store, roots: undefined }, (fault, id) =>
    faults.push(`${fault} ${id}`),
  );
  expect(faults).toEqual([]);
});

test('a disabled member is signed out at once, and can neither sign in nor use a link', async () => {
  const member = await joins(harness, url, { role: 'auditor' });
  await about(member.memberId, 'reset');
  await about(member.memberId, 'disable', { sure: 'yes' });
  expect((await member.visitor.get('/')).location).toBe('/sign-in');
  const visitor = newVisitor(url, '198.51.100.1');
  const refused = await visitor.submit('/sign-in', '/sign-in', {
    email: member.email,
    password: goodPassword,
  });
  expect(refused.status).toBe(422);
  await about(member.memberId, 'enable');
  const again = await visitor.submit('/sign-in', '/sign-in', { email: member.email, password: goodPassword });
  expect(again.location).toBe('/');
});

test('a session of a disabled member opens nothing, even if it was left', async () => {
  const member = await joins(harness, url, { role: 'auditor' });
  await harness.rows`update members set disabled_at = now() where id = ${member.memberId}`;
  expect((await member.visitor.get('/keys')).location).toBe('/sign-in?next=%2Fkeys');
});

test('a changed role holds from the next request on', async () => {
  const member = await joins(harness, url, { role: 'developer' });
  expect((await member.visitor.get('/keys/new')).status).toBe(200);
  await about(member.memberId, 'role', { role: 'auditor' });
  expect((await member.visitor.get('/keys/new')).status).toBe(403);
});

test('a role that is taken away while a form arrives is not used', async () => {
  const { visitor, memberId } = await joins(harness, url, { role: 'developer' });
  const { token = '' } = await visitor.get('/keys/new');
  const fields = { name: 'late', environment: 'live', scopes: 'verify:read', token };
  const body = new URLSearchParams(fields).toString();
  const cookie = `${visitor.cookieName()}=${visitor.cookie()}`;
  const headers = { cookie, 'content-length': body.length };
  const sent = request(`${url}/keys/new`, { method: 'POST', headers });
  const status = new Promise((resolve) => {
    sent.on('response', (answer) => resolve(answer.resume().statusCode));
  });
  sent.write(body.slice(0, 5));
  await new Promise((resolve) => setTimeout(resolve, 500));
  await about(memberId, 'role', { role: 'auditor' });
  sent.end(body.slice(5));
  expect(await status).toBe(403);
  expect(await harness.rows`select id from api_keys where name = 'late'`).toEqual([]);
});

test('the last owner can be neither disabled nor given another role', async () => {
  for (const [action, fields] of [
    ['disable', { sure: 'yes' }],
    ['role', { role: 'auditor' }],
  ] as const) {
    const answer = await about(owner.memberId, action, fields);
    expect(answer.status).toBe(409);
    expect(answer.html).toContain('no owner left');
  }
  expect((await owner.visitor.get('/members')).status).toBe(200);
});

test('a faulty invitation is shown again with what was typed and the fault beside the field', async () => {
  const answer = await owner.visitor.submit('/members', '/members', { email: '"><script>', role: 'king' });
  expect(answer.status).toBe(422);
  expect(answer.html).toContain('value="&quot;>&lt;script>"');
  expect(answer.html).toContain('aria-invalid="true"');
  expect(answer.html).toContain('id="email-fault"');
  expect(answer.html).toContain('id="role-fault"');
});

test('language and time zone are those of the member, with UTC beside', async () => {
  const { visitor } = await joins(harness, url, { role: 'developer' });
  const preferences = { language: 'nl', time_zone: 'America/New_York' };
  expect((await visitor.submit('/account', '/account/preferences', preferences)).status).toBe(303);
  const { html } = await visitor.get('/account');
  expect(html).toContain('Tijdzone');
  expect(html).toMatch(
    /<time datetime="[^"]+Z">\d{1,2} \w{3,4}\.? \d{4},? \d\d:\d\d <small>\d{4}-\d\d-\d\d \d\d:\d\d UTC/,
  );
  const shown = [...html.matchAll(/<time datetime="([^"]+)">[^<]*(\d\d:\d\d) <small>[^<]*(\d\d:\d\d) UTC/g)];
  expect(shown.length).toBeGreaterThan(0);
  for (const [, at = '', inZone, inUtc] of shown) {
    const wall = new Date(at).toLocaleString('sv-SE', { timeZone: 'America/New_York' });
    expect([inZone, inUtc]).toEqual([wall.slice(11, 16), at.slice(11, 16)]);
    expect(inZone).not.toBe(inUtc);
  }
  const wrong = await visitor.submit('/account', '/account/preferences', {
    language: 'nl',
    time_zone: 'Mars/Base',
  });
  expect(wrong.status).toBe(422);
});

test('a password changes only with the present one, and ends the other sessions', async () => {
  const { visitor, email } = await joins(harness, url, { role: 'auditor' });
  const other = newVisitor(url, '198.51.100.2');
  await other.submit('/sign-in', '/sign-in', { email, password: goodPassword });
  const fresh = 'yellow harbour seven whistles';
  expect((await visitor.submit('/account', '/account/password', { old: 'wrong', fresh })).status).toBe(422);
  expect((await other.get('/')).status).toBe(200);
  expect((await visitor.submit('/account', '/account/password', { old: goodPassword, fresh })).status).toBe(
    303,
  );
  expect((await other.get('/')).location).toBe('/sign-in');
  expect((await visitor.get('/')).status).toBe(200);
});

test('new recovery codes need the password, and end the old ones', async () => {
  const reviewer = await joins(harness, url, { role: 'reviewer' });
  const send = (password: string) =>
    reviewer.visitor.submit('/account', '/account/recovery-codes', { password_for_codes: password });
  expect((await send('wrong')).status).toBe(422);
  const { html } = await send(goodPassword);
  expect([...html.matchAll(/<code>[a-z0-9-]{17}<\/code>/g)]).toHaveLength(10);
  const visitor = newVisitor(url, '198.51.100.3');
  await visitor.submit('/sign-in', '/sign-in', { email: reviewer.email, password: goodPassword });
  const [old = ''] = reviewer.recoveryCodes ?? [];
  expect((await visitor.submit('/sign-in/code', '/sign-in/code', { recovery: old })).status).toBe(422);
});

describe('a member who is removed', () => {
  const everything = async () => {
    const rows = await harness.rows<{ row: string }>`
      select row_to_json(t)::text as row from members t union all
      select row_to_json(t)::text from member_sessions t union all
      select row_to_json(t)::text from member_links t union all
      select row_to_json(t)::text from member_recovery_codes t union all
      select row_to_json(t)::text from member_passkeys t union all
      select row_to_json(t)::text from ledger t`;
    return rows.map(({ row }) => row);
  };
  /** The members who are not what the chain says. */
  const faulty = async () => {
    const ids: string[] = [];
    await inspectHistory({ store: harness.store, roots: undefined }, (_, id) => void ids.push(id));
    return ids.sort();
  };
  const removed = async () => {
    const member = await joins(harness, url, { role: 'reviewer', email: `leaves${++left}@example.com` });
    await about(member.memberId, 'disable', { sure: 'yes' });
    return { ...member, answer: await about(member.memberId, 'remove', { sure: 'yes' }) };
  };
  let left = 0;

  test('leaves no address and no way in, only a number, the role and times, and a line in the chain', async () => {
    const { memberId, email, answer, secret } = await removed();
    expect([answer.status, answer.location]).toEqual([303, '/members?notice=saved']);
    const rows = await everything();
    for (const trace of [email, secret?.toString('hex') ?? 'no secret'])
      expect(rows.filter((row) => row.includes(trace))).toEqual([]);
    const [row, ...others] = rows
      .filter((text) => text.includes(memberId) && !text.includes('"subject_id"'))
      .map((text) => JSON.parse(text));
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      id: memberId,
      role: 'reviewer',
      email: null,
      password_hash: null,
      totp_secret: null,
    });
    expect((await lines()).at(-1)).toMatchObject({
      type: 'member.removed',
      data: { member_id: memberId, actor: { kind: 'member', id: owner.memberId } },
    });
    expect(await faulty()).not.toContain(memberId);
  });

  test('is in no list, has no page, cannot sign in, and cannot be enabled', async () => {
    const { memberId, email } = await removed();
    expect((await owner.visitor.get('/members')).html).not.toContain(email);
    expect((await owner.visitor.get(`/members/${memberId}`)).status).toBe(404);
    expect((await owner.visitor.post(`/members/${memberId}/enable`)).status).toBe(404);
    const refused = await newVisitor(url, '198.51.100.9').submit('/sign-in', '/sign-in', {
      email,
      password: goodPassword,
    });
    expect(refused.status).toBe(422);
  });

  test('can be invited again, as another member', async () => {
    const { memberId, email } = await removed();
    const again = await joins(harness, url, { role: 'reviewer', email });
    expect(again.memberId).not.toBe(memberId);
    expect((await owner.visitor.get('/members')).html).toContain(email);
  });

  test('was disabled before: who can still sign in is not removed', async () => {
    const { memberId, email } = await joins(harness, url, { role: 'auditor' });
    const answer = await about(memberId, 'remove', { sure: 'yes' });
    expect(answer.status).toBe(409);
    expect(answer.html).toContain('Disable the member first.');
    expect((await owner.visitor.get('/members')).html).toContain(email);
  });

  test('is removed once by two owners at the same time', async () => {
    const { memberId } = await joins(harness, url, { role: 'auditor' });
    await about(memberId, 'disable', { sure: 'yes' });
    const [{ org_id: orgId } = { org_id: '' }] = await harness.rows<{ org_id: string }>`
      select org_id from members where id = ${memberId}`;
    const caller = asOwner({ id: owner.memberId }, orgId, 'live');
    const results = await Promise.all([1, 2, 3].map(() => removeMember(harness, caller, { id: memberId })));
    expect(results.sort()).toEqual(['unknown', 'unknown', undefined]);
    expect(
      (await lines()).filter(({ type, data }) => type === 'member.removed' && data.member_id === memberId),
    ).toHaveLength(1);
  });

  test('by hand is named by the inspection, and no address can be given to anybody', async () => {
    const { memberId } = await joins(harness, url, { role: 'auditor' });
    const before = await faulty();
    const asApp = (statement: string) => queryAt(harness.roleUrls.app, statement);
    await expect(
      asApp(`update members set email = 'thief@example.com' where id = '${memberId}'`),
    ).rejects.toMatchObject({ code: '42501' });
    await asApp(`update members set email = null where id = '${memberId}'`);
    await expect(
      asApp(`update members set email = 'thief@example.com' where id = '${memberId}'`),
    ).rejects.toMatchObject({ code: '42501' });
    expect(await faulty()).toEqual([...before, memberId].sort());
  });
});
