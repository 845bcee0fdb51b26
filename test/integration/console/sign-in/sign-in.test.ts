import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { codeOf, goodPassword, joins, newVisitor, type Visitor } from '#test/support/people/console.ts';

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();
const owner = await joins(harness, url);
const auditor = await joins(harness, url, { role: 'auditor' });

let visitors = 0;
const visitor = () => newVisitor(url, `198.51.100.${++visitors}`);
const signIn = (who: Visitor, email: string, password = goodPassword) =>
  who.submit('/sign-in', '/sign-in', { email, password });

test('an address and its password open the console; every other pair is the same refusal', async () => {
  const who = visitor();
  const right = await signIn(who, ` ${auditor.email.toUpperCase()} `);
  expect([right.status, right.location]).toEqual([303, '/']);
  expect((await who.get('/')).html).toContain('Welcome to Acme');

  const wrong = await signIn(visitor(), auditor.email, 'not the password');
  const unknown = await signIn(visitor(), 'nobody@example.com');
  for (const each of [wrong, unknown]) {
    expect(each.status).toBe(422);
    expect(each.html).toContain('do not belong together');
    expect(each.html).not.toContain(goodPassword);
  }
  const without = ({ html }: typeof wrong) => html.replace(/value="[^"]*"/g, '');
  expect(without(wrong)).toBe(without(unknown));
});

test('the form shows again what was typed, but never a password', async () => {
  const again = await signIn(visitor(), 'some"body@example.com', 'typed password');
  expect(again.html).toContain('value="some&quot;body@example.com"');
  expect(again.html).toContain('aria-invalid');
  expect(again.html).not.toContain('typed password');
});

test('a field that was forgotten is said, and is no attempt', async () => {
  for (let times = 0; times < 12; times++) {
    const { status, html } = await signIn(visitor(), auditor.email, '');
    expect([status, html.includes('Fill in your e-mail address and your password.')]).toEqual([422, true]);
  }
  const who = visitor();
  await signIn(who, owner.email);
  for (let times = 0; times < 12; times++) {
    const code = await who.submit('/sign-in/code', '/sign-in/code', { code: ' ' });
    expect([code.status, code.html.includes('Fill in the code.')]).toEqual([422, true]);
  }
  expect((await signIn(visitor(), auditor.email)).location).toBe('/');
});

test('with a second factor, the password alone opens nothing', async () => {
  const who = visitor();
  expect((await signIn(who, owner.email)).location).toBe('/sign-in/code');
  for (const path of ['/', '/keys', '/members', '/account', '/second-factor'])
    expect([path, (await who.get(path)).location?.replace(/\?.*/, '')]).toEqual([path, '/sign-in/code']);
  const wrong = await who.submit('/sign-in/code', '/sign-in/code', { code: '000000' });
  expect(wrong.status).toBe(422);
  expect((await who.get('/keys')).location).toBe('/sign-in/code?next=%2Fkeys');
});

test('a code opens the console once', async () => {
  const who = visitor();
  await signIn(who, owner.email);
  const code = codeOf(owner.secret as Buffer, 1);
  expect((await who.submit('/sign-in/code', '/sign-in/code', { code })).location).toBe('/');
  expect((await who.get('/keys')).status).toBe(200);
  const second = visitor();
  await signIn(second, owner.email);
  const replayed = await second.submit('/sign-in/code', '/sign-in/code', { code });
  expect(replayed.status).toBe(422);
  expect((await second.get('/keys')).location).toBe('/sign-in/code?next=%2Fkeys');
});

test('a recovery code opens the console once, however it is spelled', async () => {
  const [first = '', second = ''] = owner.recoveryCodes ?? [];
  const enter = async (recovery: string) => {
    const who = visitor();
    await signIn(who, owner.email);
    return who.submit('/sign-in/code', '/sign-in/code', { recovery });
  };
  expect((await enter(first)).location).toBe('/');
  expect((await enter(first)).status).toBe(422);
  expect((await enter(second.toUpperCase().replaceAll('-', ' '))).location).toBe('/');
});

test('a cookie from before the sign-in is no session afterwards', async () => {
  const who = visitor();
  who.setCookie('console', 'chosen-by-somebody-else');
  await signIn(who, auditor.email);
  expect(who.cookie()).not.toBe('chosen-by-somebody-else');
  const other = visitor();
  other.setCookie('console', 'chosen-by-somebody-else');
  expect((await other.get('/')).location).toBe('/sign-in');
});

test('the second factor replaces the cookie too, and the half session ends', async () => {
  const who = visitor();
  await signIn(who, owner.email);
  const half = who.cookie();
  const [, , third = ''] = owner.recoveryCodes ?? [];
  expect((await who.submit('/sign-in/code', '/sign-in/code', { recovery: third })).location).toBe('/');
  const other = visitor();
  other.setCookie('console', half);
  expect((await other.get('/')).location).toBe('/sign-in');
});

test('signing out and ending a session stop its cookie at once, and the list shows the others', async () => {
  const [first, second] = [visitor(), visitor()];
  await signIn(first, auditor.email);
  await signIn(second, auditor.email);
  const account = await first.get('/account');
  expect(account.html).toContain('Test browser');
  const ends = [...account.html.matchAll(/action="(\/account\/sessions\/[^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  expect(ends.length).toBeGreaterThan(0);
  for (const path of ends) await first.submit('/account', path);
  expect((await second.get('/')).location).toBe('/sign-in');
  const cookie = first.cookie();
  expect((await first.submit('/account', '/sign-out')).location).toBe('/sign-in?notice=signed_out');
  const thief = visitor();
  thief.setCookie('console', cookie);
  expect((await thief.get('/')).location).toBe('/sign-in');
});

test('a session ends when it is not used for an hour, and after twelve hours', async () => {
  const who = visitor();
  await signIn(who, auditor.email);
  await harness.rows`update member_sessions set last_seen_at = now() - interval '59 minutes'`;
  expect((await who.get('/')).status).toBe(200);
  await harness.rows`update member_sessions set last_seen_at = now() - interval '61 minutes'`;
  expect((await who.get('/')).location).toBe('/sign-in');
  await signIn(who, auditor.email);
  await harness.rows`update member_sessions set expires_at = now() - interval '1 second'`;
  expect((await who.get('/')).location).toBe('/sign-in');
});

test('guesses are throttled: per member and address, also for the right password, and not for other addresses', async () => {
  const guesser = newVisitor(url, '203.0.113.9');
  for (let i = 0; i < 10; i++) expect((await signIn(guesser, auditor.email, `guess ${i}`)).status).toBe(422);
  const stopped = await signIn(guesser, auditor.email);
  expect(stopped.status).toBe(429);
  expect(stopped.html).toContain('15 minutes');
  expect((await signIn(visitor(), auditor.email)).status).toBe(303);
}, 60_000);

test('codes are throttled too', async () => {
  const who = visitor();
  const guessed = await joins(harness, url);
  await signIn(who, guessed.email);
  await who.get('/sign-in/code');
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++) statuses.push((await who.post('/sign-in/code', { code: '123456' })).status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect(
    (await who.submit('/sign-in/code', '/sign-in/code', { code: codeOf(guessed.secret as Buffer, 1) }))
      .status,
  ).toBe(429);
}, 60_000);

test('the cookie is host-only, hidden from scripts, and over https bound to the host by its name', async () => {
  const plain = (await visitor().get('/sign-in')).headers.getSetCookie();
  expect(plain).toEqual([expect.stringMatching(/^console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)]);
  const secure = await harness.startConsole({ url: 'https://console.partner-test.example' });
  const over = (await newVisitor(secure.url).get('/sign-in')).headers.getSetCookie();
  expect(over).toEqual([
    expect.stringMatching(/^__Host-console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
  ]);
});

test('no page may run a foreign script, be framed or be stored, and none loads anything from elsewhere', async () => {
  for (const page of [
    await visitor().get('/sign-in'),
    await auditor.visitor.get('/sign-in'),
    await owner.visitor.get('/nowhere'),
  ]) {
    expect(page.headers.get('cache-control')).toBe('no-store');
    if (page.status === 303) continue;
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'; ");
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(page.html).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(page.html).not.toMatch(/<script(?! type="module" src="\/assets\/console\.[0-9a-f]{12}\.js">)/);
  }
});

test('what a member types at the sign-in is in no row', async () => {
  const dump = await harness.rows<{ text: string }>`
    select members::text || coalesce(member_sessions::text, '') as text
    from members left join member_sessions on member_sessions.member_id = members.id`;
  const stored = dump.map(({ text }) => text).join();
  for (const secret of [
    goodPassword,
    owner.visitor.cookie(),
    (owner.secret as Buffer).toString('hex'),
    ...(owner.recoveryCodes ?? []),
  ])
    expect(stored).not.toContain(secret);
});
