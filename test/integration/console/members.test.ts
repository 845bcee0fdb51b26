import { expect, test } from 'vitest';
import { inspectHistory } from '#services/inspection/history.ts';
import { goodPassword, joins, newVisitor } from '#test/support/console.ts';
import { startHarness } from '#test/support/harness.ts';

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
  await about(memberId, 'disable');
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
  const member = await joins(harness, url, { role: 'developer' });
  await about(member.memberId, 'reset');
  await about(member.memberId, 'disable');
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
  const member = await joins(harness, url, { role: 'developer' });
  await harness.rows`update members set disabled_at = now() where id = ${member.memberId}`;
  expect((await member.visitor.get('/keys')).location).toBe('/sign-in');
});

test('a changed role holds from the next request on', async () => {
  const member = await joins(harness, url, { role: 'developer' });
  expect((await member.visitor.get('/keys/new')).status).toBe(200);
  await about(member.memberId, 'role', { role: 'auditor' });
  expect((await member.visitor.get('/keys/new')).status).toBe(403);
});

test('the last owner can be neither disabled nor given another role', async () => {
  for (const [action, fields] of [
    ['disable', {}],
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
  const wrong = await visitor.submit('/account', '/account/preferences', {
    language: 'nl',
    time_zone: 'Mars/Base',
  });
  expect(wrong.status).toBe(422);
});

test('a password changes only with the present one, and ends the other sessions', async () => {
  const { visitor, email } = await joins(harness, url, { role: 'developer' });
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
