import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { inviteByOperator } from '#test/support/people/as-operator.ts';
import { codeOf, goodPassword, joins, newVisitor, setUpSecondFactor } from '#test/support/people/console.ts';

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();
const owner = await joins(harness, url);

let visitors = 0;
const visitor = () => newVisitor(url, `198.51.100.${++visitors}`);
const linkOn = (html: string) => /https?:\/\/[^/<]+(\/link\/[\w-]{43})/.exec(html)?.[1] ?? '';
const inviteAs = async (email: string, role = 'auditor') => {
  const page = await owner.visitor.submit('/members', '/members', { email, role });
  expect(page.status).toBe(200);
  return linkOn(page.html);
};
const accept = async (path: string, password = goodPassword, who = visitor()) => {
  await who.get('/sign-in');
  return who.submit(path, path, { password });
};

test('an invitation makes a member with the role and the address that the owner gave, whatever the form says', async () => {
  const path = await inviteAs(' New@Example.com ');
  const who = visitor();
  expect((await who.get(path)).html).toContain('new@example.com');
  await who.post(path, {
    password: goodPassword,
    email: 'other@example.com',
    role: 'owner',
    username: 'other@example.com',
  });
  const home = (await who.get('/')).html;
  expect(home).toContain('new@example.com');
  expect(home).toContain('Auditor');
});

test('who chooses a language before the sign-in keeps it on the page of a fault and as a member', async () => {
  const path = await inviteAs('taal@example.com');
  const who = visitor();
  const action = (html: string) => /<form method="post" action="([^"]+)"/.exec(html)?.[1] ?? '';
  expect(action((await who.get(path)).html)).toBe(path);
  const inDutch = await who.get(`${path}?lang=nl`);
  expect(action(inDutch.html)).toBe(`${path}?lang=nl`);
  const faulty = await who.post(action(inDutch.html), { password: 'short' });
  expect([faulty.status, faulty.html]).toEqual([422, expect.stringContaining('<html lang="nl">')]);
  expect((await who.post(action(faulty.html), { password: goodPassword })).status).toBe(303);
  expect((await who.get('/')).html).toContain('<html lang="nl">');
  const signIn = await visitor().get('/sign-in?lang=nl');
  expect(action(signIn.html)).toBe('/sign-in?lang=nl');
  expect((await visitor().get('/sign-in?lang=%22%3E')).html).toContain('action="/sign-in"');
});

test('a link works once, and opening it changes nothing', async () => {
  const path = await inviteAs('once@example.com');
  await visitor().get(path);
  await visitor().get(path);
  expect((await accept(path)).status).toBe(303);
  for (const answer of [await visitor().get(path), await accept(path)]) {
    expect(answer.status).toBe(404);
    expect(answer.html).toContain('does not work');
  }
});

test('of two who send a link at the same time, one gets in', async () => {
  const path = await inviteAs('race@example.com');
  const who = [visitor(), visitor(), visitor()];
  for (const each of who) await each.get(path);
  const answers = await Promise.all(who.map((each) => each.post(path, { password: goodPassword })));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404]);
});

test('an expired, a replaced and an unknown link are the same page', async () => {
  const expired = await inviteAs('late@example.com');
  await harness.rows`
    update member_links set expires_at = now() - interval '1 second'
    where member_id = (select id from members where email = 'late@example.com')`;
  const replaced = await inviteAs('replaced@example.com');
  const fresh = await inviteAs('replaced@example.com', 'auditor');
  const pages: string[] = [];
  for (const path of [expired, replaced, `/link/${'A'.repeat(43)}`]) {
    const { status, html } = await accept(path);
    expect(status).toBe(404);
    pages.push(html.replaceAll(/name="token" value="[^"]*"/g, ''));
  }
  expect(new Set(pages).size).toBe(1);
  expect((await accept(fresh)).status).toBe(303);
});

test.each([
  ['short', 'too_short', 'Use at least 10 characters'],
  ['Password1!', 'common', 'easy to guess'],
  ['guessable@example.com', 'the address', 'easy to guess'],
])('"%s" is refused as a password (%s), and the link still works', async (password, _, said) => {
  const path = await inviteAs('guessable@example.com');
  const who = visitor();
  const refused = await accept(path, password, who);
  expect(refused.status).toBe(422);
  expect(refused.html).toContain(said);
  expect((await who.get(path)).status).toBe(200);
});

test('no token of a link, and no address, is in the ledger or in a row of links', async () => {
  const path = await inviteAs('private@example.com');
  const token = path.split('/').at(-1) ?? '';
  const rows = await harness.rows<{ text: string }>`
    select member_links::text as text from member_links union all select ledger::text from ledger`;
  expect(rows.length).toBeGreaterThan(3);
  for (const { text } of rows)
    for (const secret of [token, '@example.com']) expect(text).not.toContain(secret);
});

test('an address that is a member already cannot be invited, and one of another organisation can', async () => {
  const again = await owner.visitor.submit('/members', '/members', { email: owner.email, role: 'auditor' });
  expect(again.status).toBe(422);
  expect(again.html).toContain('is a member already');
  const elsewhere = await inviteByOperator(harness.store, 'Other', { email: owner.email, role: 'auditor' });
  expect(elsewhere).toHaveProperty('link');
});

test('a member of two organisations chooses one, and neither password opens the other', async () => {
  const email = 'both@example.com';
  const first = await joins(harness, url, { email, role: 'auditor' });
  const second = await joins(harness, url, { org: 'Other', email, role: 'auditor' });
  expect(first.memberId).not.toBe(second.memberId);
  const who = visitor();
  const asked = await who.submit('/sign-in', '/sign-in', { email, password: goodPassword });
  expect(asked.status).toBe(422);
  const other = /<option value="([^"]+)"[^>]*>Other</.exec(asked.html)?.[1] ?? '';
  await who.post('/sign-in', { email, password: goodPassword, organisation: other });
  expect((await who.get('/')).html).toContain('Welcome to Other');

  const changed = 'another orchard wanders slowly';
  await who.submit('/account', '/account/password', { old: goodPassword, fresh: changed });
  const third = visitor();
  expect((await third.submit('/sign-in', '/sign-in', { email, password: changed })).location).toBe('/');
  expect((await third.get('/')).html).toContain('Welcome to Other');
});

test('a reset link changes nothing until it is used; then password, second factor and sessions are new', async () => {
  const reviewer = await joins(harness, url, { role: 'reviewer' });
  const made = await owner.visitor.submit('/members', `/members/${reviewer.memberId}/reset`);
  const path = linkOn(made.html);
  expect((await reviewer.visitor.get('/review')).status).toBe(200);

  const who = visitor();
  const fresh = 'marble kettle drifting north';
  expect((await accept(path, fresh, who)).status).toBe(303);
  expect((await reviewer.visitor.get('/')).location).toBe('/sign-in');
  expect((await who.get('/')).location).toBe('/second-factor');
  const old = await visitor().submit('/sign-in', '/sign-in', {
    email: reviewer.email,
    password: goodPassword,
  });
  expect(old.status).toBe(422);
  const { secret } = await setUpSecondFactor(who);
  expect((await who.get('/review')).status).toBe(200);
  const next = visitor();
  await next.submit('/sign-in', '/sign-in', { email: reviewer.email, password: fresh });
  const [code] = reviewer.recoveryCodes ?? [];
  expect((await next.submit('/sign-in/code', '/sign-in/code', { recovery: code ?? '' })).status).toBe(422);
  expect((await next.submit('/sign-in/code', '/sign-in/code', { code: codeOf(secret, 1) })).location).toBe(
    '/',
  );
});
