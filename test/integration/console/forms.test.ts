import { expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { startHarness } from '#test/support/harness.ts';
import { goodPassword, joins, newVisitor } from '#test/support/people/console.ts';

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();
const { visitor } = await joins(harness, url, { role: 'developer' });
const { email } = await joins(harness, url, { role: 'auditor' });
const stranger = await joins(harness, url, { org: 'Other', role: 'developer' });

const preferences = { language: 'en', time_zone: 'UTC' };
const newKey = { name: 'made by a form', environment: 'sandbox', scopes: 'verify:read' };
const keys = async () => (await harness.rows`select 1 from api_keys`).length;
const tokenOn = async (path = '/keys/new') => (await visitor.get(path)).token ?? '';

test.each([
  ['no token', async () => null],
  ['an empty token', async () => ''],
  [
    'a token that somebody made up',
    async () => 'AAAAAAAAAAAAAAAAAAAAAA.mwt2g2j0.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ],
  ['a token of another member', async () => (await stranger.visitor.get('/keys/new')).token ?? ''],
  [
    'a token of somebody who is not signed in',
    async () => (await newVisitor(url).get('/sign-in')).token ?? '',
  ],
  [
    'a token that was changed',
    async () => (await tokenOn()).replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
  ],
])('a form with %s changes nothing', async (_, token) => {
  const before = await keys();
  const { status, html } = await visitor.post('/keys/new', newKey, { token: await token() });
  expect(status).toBe(403);
  expect(html).toContain('Nothing was changed');
  expect(await keys()).toBe(before);
});

test('a form works once: a reload or a second press makes no second key, and shows none', async () => {
  const before = await keys();
  const token = await tokenOn();
  const first = await visitor.post('/keys/new', newKey, { token });
  expect(first.html).toContain('svc_test_');
  const again = await visitor.post('/keys/new', newKey, { token });
  expect(again.status).toBe(409);
  expect(again.html).not.toContain('svc_test_');
  expect(await keys()).toBe(before + 1);
});

test('of many presses at once, one is carried out', async () => {
  const before = await keys();
  const token = await tokenOn();
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => visitor.post('/keys/new', newKey, { token })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  expect(await keys()).toBe(before + 1);
});

test.each([
  ['another origin', { origin: 'https://elsewhere.example' }],
  ['a hidden origin', { origin: 'null' }],
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['a sister host', { 'sec-fetch-site': 'same-site' }],
])(
  'a form that a browser sends from %s changes nothing, also with a valid token',
  async (_, headers: Record<string, string>) => {
    const before = await keys();
    const token = await tokenOn();
    expect((await visitor.post('/keys/new', newKey, { token, headers })).status).toBe(403);
    expect(await keys()).toBe(before);
  },
);

test('a form of our own origin is accepted as browsers send it', async () => {
  const headers = { origin: url, 'sec-fetch-site': 'same-origin' };
  expect((await visitor.post('/keys/new', newKey, { token: await tokenOn(), headers })).status).toBe(200);
});

test('a form from before the sign-in or of an ended session is refused', async () => {
  const who = newVisitor(url, '198.51.100.77');
  const early = (await who.get('/sign-in')).token ?? '';
  await who.post('/sign-in', { email, password: goodPassword }, { token: early });
  expect((await who.post('/account/preferences', preferences, { token: early })).status).toBe(403);
  const inSession = (await who.get('/account')).token ?? '';
  await who.submit('/account', '/sign-out');
  expect((await who.post('/account/preferences', preferences, { token: inSession })).location).toBe(
    '/sign-in?next=%2Faccount',
  );
  await who.submit('/sign-in', '/sign-in', { email, password: goodPassword });
  expect((await who.post('/account/preferences', preferences, { token: inSession })).status).toBe(403);
});

test('a sign-in form without its token signs nobody in', async () => {
  const who = newVisitor(url, '198.51.100.78');
  await who.get('/sign-in');
  expect((await who.post('/sign-in', { email, password: goodPassword }, { token: null })).status).toBe(403);
  expect((await who.get('/')).location).toBe('/sign-in');
});

test('a form that was open for longer than a session can last signs nobody in, and says so', async () => {
  const who = newVisitor(url, '198.51.100.79');
  const early = (await who.get('/sign-in')).token ?? '';
  const hours = (count: number) => ({ ...systemClock, now: () => new Date(Date.now() + count * 3_600_000) });
  for (const [later, status] of [
    [11, 303],
    [13, 403],
  ] as const) {
    const laterConsole = await harness.startConsole({ clock: hours(later) });
    const same = newVisitor(laterConsole.url, '198.51.100.79');
    same.setCookie('console', who.cookie());
    const sent = await same.post('/sign-in', { email, password: goodPassword }, { token: early });
    expect([later, sent.status]).toEqual([later, status]);
    if (status === 403) expect(sent.html).toContain('open too long');
  }
});

test('a GET with the fields of a form changes nothing', async () => {
  const before = await keys();
  await visitor.get(`/keys/new?${new URLSearchParams(newKey)}&token=${await tokenOn()}`);
  expect(await keys()).toBe(before);
});

test('a body that is too large is refused, and the console goes on', async () => {
  const { status } = await visitor.post('/keys/new', { ...newKey, name: 'x'.repeat(70_000) });
  expect(status).toBe(413);
  expect((await visitor.get('/keys')).status).toBe(200);
});
