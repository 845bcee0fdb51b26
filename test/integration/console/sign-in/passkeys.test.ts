import { expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { startHarness } from '#test/support/harness.ts';
import { type Authenticator, newAuthenticator, type Said } from '#test/support/people/authenticator.ts';
import { goodPassword, type Joined, joins, newVisitor, type Visitor } from '#test/support/people/console.ts';

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();
const site = { origin: url.replace('127.0.0.1', 'localhost'), host: 'localhost' };

let visitors = 0;
const newBrowser = () => newVisitor(url, `198.51.100.${++visitors}`);
const count = async () => (await harness.rows`select 1 from member_passkeys`).length;
const ledgerTypes = async () =>
  (await harness.rows<{ type: string }>`select type from ledger order by created_at, sequence`).map(
    ({ type }) => type,
  );

const openConfirmation = async (visitor: Visitor, name = 'phone') =>
  visitor.submit('/account/passkeys', '/account/passkeys', { name, password: goodPassword });

async function register({ visitor }: Joined, device: Authenticator, said: Said = {}) {
  const page = await openConfirmation(visitor);
  expect(page.status).toBe(200);
  const token = /data-passkey.*?name="token" value="([^"]+)"/s.exec(page.html)?.[1] ?? '';
  const credential = device.create(token, said);
  return visitor.post('/account/passkeys/new', { name: 'phone', credential }, { token });
}

/** A member with a passkey. */
async function withPasskey(wanted: Parameters<typeof joins>[2] = {}) {
  const member = await joins(harness, url, wanted);
  const device = newAuthenticator(site);
  expect((await register(member, device)).location).toBe('/account/passkeys?notice=passkey_added');
  return { ...member, device };
}

async function signIn(browser: Visitor, device: Authenticator, said: Said = {}) {
  const token = (await browser.get('/sign-in')).token ?? '';
  return browser.post('/sign-in/passkey', { credential: device.get(token, said) }, { token });
}

/** Nobody is signed in, and the page says so. */
async function expectRefused(browser: Visitor, { status, html }: { status: number; html: string }) {
  expect(status).toBe(422);
  expect(html).toMatch(/role="alert"/);
  expect((await browser.get('/keys')).location).toBe('/sign-in?next=%2Fkeys');
}

test('a passkey opens the console without password and code, also for a role that needs a second factor', async () => {
  const { device, memberId } = await withPasskey({ role: 'owner' });
  const browser = newBrowser();
  expect((await signIn(browser, device)).location).toBe('/');
  expect((await browser.get('/members')).status).toBe(200);
  const [row] = await harness.rows<{ used: Date | null }>`
    select last_used_at as used from member_passkeys where member_id = ${memberId}`;
  expect(row?.used).not.toBeNull();
  expect((await browser.get('/account/passkeys')).html).not.toContain('>never<');
});

test('the list names each passkey with its last use, and the organisation has a line for each change', async () => {
  const { visitor } = await withPasskey({ role: 'auditor' });
  const { html } = await visitor.get('/account/passkeys');
  expect(html).toContain('phone');
  expect(html).toContain('never');
  const path = /action="(\/account\/passkeys\/[^"]+\/remove)"/.exec(html)?.[1] ?? '';
  expect((await visitor.submit('/account/passkeys', path)).location).toContain('passkey_removed');
  expect((await ledgerTypes()).slice(-2)).toEqual(['member.passkey_added', 'member.passkey_removed']);
});

test('a passkey that was removed opens nothing', async () => {
  const { visitor, device } = await withPasskey();
  const { html } = await visitor.get('/account/passkeys');
  await visitor.submit('/account/passkeys', /action="([^"]+remove)"/.exec(html)?.[1] ?? '');
  const browser = newBrowser();
  await expectRefused(browser, await signIn(browser, device));
});

test('a member cannot remove the passkey of another', async () => {
  const mine = await withPasskey();
  const other = await joins(harness, url, { org: 'Other' });
  const path = /action="([^"]+remove)"/.exec((await mine.visitor.get('/account/passkeys')).html)?.[1] ?? '';
  await other.visitor.submit('/account/passkeys', path);
  expect((await signIn(newBrowser(), mine.device)).location).toBe('/');
});

const untrue: [string, Said][] = [
  ['another origin', { origin: 'https://elsewhere.example' }],
  ['another port of this host', { origin: 'http://localhost:1' }],
  ['another host', { host: 'elsewhere.example' }],
  ['no verified user', { isVerified: false }],
  ['another challenge', { challenge: 'chosen by somebody else' }],
];

test.each(untrue)('an answer of a device with %s opens nothing', async (_, said) => {
  const { device } = await withPasskey({ role: 'developer' });
  const browser = newBrowser();
  await expectRefused(browser, await signIn(browser, device, said));
});

test.each([...untrue, ['the type of a sign-in', { type: 'webauthn.get' }] as [string, Said]])(
  'an answer of a device with %s registers nothing',
  async (_, said) => {
    const member = await joins(harness, url, { role: 'developer' });
    const before = await count();
    expect((await register(member, newAuthenticator(site), said)).status).toBe(422);
    expect(await count()).toBe(before);
  },
);

test('an answer for the registration is no answer for a sign-in', async () => {
  const { device } = await withPasskey({ role: 'developer' });
  const browser = newBrowser();
  await expectRefused(browser, await signIn(browser, device, { type: 'webauthn.create' }));
});

test('the key of one member with the name of another opens nothing', async () => {
  const [mine, other] = [await withPasskey({ role: 'developer' }), await withPasskey({ role: 'owner' })];
  const asOther = { userHandle: Buffer.from(other.memberId.replaceAll('-', ''), 'hex') };
  const browser = newBrowser();
  await expectRefused(browser, await signIn(browser, mine.device, asOther));
  const token = (await browser.get('/sign-in')).token ?? '';
  const forged = JSON.parse(mine.device.get(token));
  forged.id = other.device.credentialId.toString('base64url');
  forged.rawId = forged.id;
  await expectRefused(
    browser,
    await browser.post('/sign-in/passkey', { credential: JSON.stringify(forged) }, { token }),
  );
});

test('a passkey that belongs to somebody cannot be registered again, by anybody', async () => {
  const { device } = await withPasskey({ role: 'developer' });
  const other = await joins(harness, url, { org: 'Other', role: 'developer' });
  const before = await count();
  expect((await register(other, device)).status).toBe(422);
  expect(await count()).toBe(before);
});

test('an answer works once, also if it is sent many times at once', async () => {
  const { device } = await withPasskey({ role: 'developer' });
  const browser = newBrowser();
  const token = (await browser.get('/sign-in')).token ?? '';
  const visitorCookie = browser.cookie();
  const credential = device.get(token);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => {
      const replay = newBrowser();
      replay.setCookie('console', visitorCookie);
      return replay.post('/sign-in/passkey', { credential }, { token });
    }),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422, 422, 422]);
});

test('an answer from one browser opens nothing in another', async () => {
  const { device } = await withPasskey({ role: 'developer' });
  const token = (await newBrowser().get('/sign-in')).token ?? '';
  const thief = newBrowser();
  await thief.get('/sign-in');
  const { status } = await thief.post('/sign-in/passkey', { credential: device.get(token) }, { token });
  expect(status).toBe(403);
  expect((await thief.get('/')).location).toBe('/sign-in');
});

test('a challenge ends after ten minutes', async () => {
  const { device } = await withPasskey({ role: 'developer' });
  const browser = newBrowser();
  const token = (await browser.get('/sign-in')).token ?? '';
  const clock = { ...systemClock, now: () => new Date(Date.now() + 11 * 60_000) };
  const { url: later } = await harness.startConsole({ clock, url: site.origin });
  const sameBrowser = newVisitor(later);
  sameBrowser.setCookie('console', browser.cookie());
  const late = await sameBrowser.post('/sign-in/passkey', { credential: device.get(token) }, { token });
  expect(late.html).toContain('open too long');
  await expectRefused(sameBrowser, late);
});

test('two devices with the same key: it is blocked, the sessions end, and the organisation has a line', async () => {
  const member = await withPasskey();
  const said = (counter: number) => ({ counter });
  expect((await signIn(newBrowser(), member.device, said(5))).location).toBe('/');
  const copy = newBrowser();
  const refused = await signIn(copy, member.device, said(5));
  expect(refused.html).toContain('two devices');
  await expectRefused(copy, refused);
  expect((await member.visitor.get('/')).location).toBe('/sign-in');
  expect((await ledgerTypes()).at(-1)).toBe('member.passkey_blocked');
  const owner = newBrowser();
  await expectRefused(owner, await signIn(owner, member.device, said(6)));
});

test('who does not have the key cannot block it', async () => {
  const { device } = await withPasskey({ role: 'developer' });
  await signIn(newBrowser(), device, { counter: 7 });
  const browser = newBrowser();
  const token = (await browser.get('/sign-in')).token ?? '';
  const forged = JSON.parse(device.get(token, { counter: 7 }));
  forged.response.signature = Buffer.alloc(70).toString('base64url');
  await browser.post('/sign-in/passkey', { credential: JSON.stringify(forged) }, { token });
  expect((await signIn(newBrowser(), device, { counter: 8 })).location).toBe('/');
});

test('without the present password no passkey is offered, and the form of an open page is not enough', async () => {
  const { visitor } = await joins(harness, url, { role: 'developer' });
  const before = await count();
  const wrong = await visitor.submit('/account/passkeys', '/account/passkeys', { name: 'x', password: 'no' });
  expect(wrong.status).toBe(422);
  expect(wrong.html).not.toContain('data-passkey');
  const token = (await visitor.get('/account/passkeys')).token ?? '';
  const credential = newAuthenticator(site).create(token);
  const { status } = await visitor.post('/account/passkeys/new', { name: 'x', credential }, { token });
  expect(status).toBe(403);
  expect(await count()).toBe(before);
});

test('a disabled member cannot sign in with a passkey, and a reset removes it', async () => {
  const owner = await joins(harness, url);
  const member = await withPasskey({ role: 'developer' });
  const about = (action: string, fields = {}) =>
    owner.visitor.submit(`/members/${member.memberId}`, `/members/${member.memberId}/${action}`, fields);
  await about('disable', { sure: 'yes' });
  const browser = newBrowser();
  await expectRefused(browser, await signIn(browser, member.device));
  await about('enable');
  expect((await signIn(browser, member.device)).location).toBe('/');
  const link = /\/link\/[\w-]+/.exec((await about('reset')).html)?.[0] ?? '';
  expect((await newBrowser().submit(link, link, { password: goodPassword })).status).toBe(303);
  const after = newBrowser();
  await expectRefused(after, await signIn(after, member.device));
});

test.each([
  '',
  'null',
  '{}',
  '[]',
  '{"id":"AA","rawId":"AA","type":"public-key","response":{}}',
  'x'.repeat(60_000),
])('an answer of no device is refused: %#', async (credential) => {
  const browser = newBrowser();
  await expectRefused(browser, await browser.submit('/sign-in', '/sign-in/passkey', { credential }));
});

test('guesses with passkeys are throttled', async () => {
  const guesser = newBrowser();
  const { token } = await guesser.get('/sign-in');
  const statuses: number[] = [];
  for (let i = 0; i < 62; i++)
    statuses.push(
      (await guesser.post('/sign-in/passkey', { credential: '{}' }, { token: token ?? '' })).status,
    );
  expect(statuses.slice(0, 60)).toEqual(Array(60).fill(422));
  expect(statuses.at(-1)).toBe(429);
});

test('at an address where browsers allow no passkeys, none is offered', async () => {
  const { url: plain } = await harness.startConsole({ url: 'http://192.0.2.7:3001' });
  expect((await newVisitor(plain).get('/sign-in')).html).not.toContain('data-passkey');
});
