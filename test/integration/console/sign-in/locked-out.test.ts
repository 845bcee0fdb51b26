import { expect, onTestFinished, test, vi } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { goodPassword, joins, newVisitor } from '#test/support/people/console.ts';
import { guesses, strangerAt, wrong } from './guesser.ts';

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();

const stranger = () => strangerAt(url);

test('a stranger at the address of a member stops the other browsers there, and not the one that is known', async () => {
  const { visitor, email } = await joins(harness, url, { role: 'auditor' });
  await visitor.submit('/account', '/sign-out');
  const here = { 'x-forwarded-for': '198.51.100.7' };
  const from = newVisitor(url, here['x-forwarded-for']);
  expect(await guesses(from, email, 12)).toEqual({ 422: 10, 429: 2 });
  await visitor.get('/sign-in');
  const fields = { email, password: goodPassword };
  expect((await from.post('/sign-in', fields)).status).toBe(429);
  expect((await visitor.post('/sign-in', fields, { headers: here })).location).toBe('/');
  expect((await visitor.get('/')).html).toContain(email);
});

test('a hundred refused attempts from one address take nothing from the member elsewhere', async () => {
  const { email } = await joins(harness, url, { role: 'auditor' });
  expect(await guesses(stranger(), email, 115)).toEqual({ 422: 10, 429: 105 });
  const elsewhere = stranger();
  expect(await guesses(elsewhere, email, 5)).toEqual({ 422: 5 });
  const fields = { email, password: goodPassword };
  expect((await elsewhere.submit('/sign-in', '/sign-in', fields)).location).toBe('/');
});

test('inside a session ten passwords are tried in a quarter of an hour, and thirty in a day', async () => {
  const startMs = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: startMs });
  onTestFinished(() => void vi.useRealTimers());
  // Its counts keep the clock that they find when they begin.
  const own = await harness.startConsole();
  const { visitor } = await joins(harness, own.url, { role: 'auditor' });
  const statuses: number[] = [];
  for (let quarter = 0; quarter < 4; quarter++) {
    vi.setSystemTime(startMs + quarter * 905_000);
    for (let i = 0; i < 11; i++)
      statuses.push((await visitor.submit('/account', '/account/password', { old: wrong })).status);
  }
  const tried = [...Array(10).fill(422), 429];
  expect(statuses).toEqual([...tried, ...tried, ...tried, ...Array(11).fill(429)]);
});

test('holders of links and passkeys are not stopped by wrong passwords from the same address', async () => {
  const owner = await joins(harness, url);
  const invited = await owner.visitor.submit('/members', '/members', {
    ...{ email: 'late@example.com', role: 'auditor' },
  });
  const path = /\/link\/[\w-]{43}/.exec(invited.html)?.[0] ?? '';
  const who = stranger();
  for (let i = 0; i < 7; i++) await guesses(who, `made-up-${i}@example.com`, 10);
  expect((await who.submit('/sign-in', '/sign-in', { email: owner.email, password: wrong })).status).toBe(
    429,
  );
  expect((await who.submit('/sign-in', '/sign-in/passkey', { credential: '{}' })).status).toBe(422);
  expect((await who.submit(path, path, { password: goodPassword })).location).toBe('/');
});

test('a link takes a bounded number of passwords', async () => {
  const owner = await joins(harness, url);
  const invited = await owner.visitor.submit('/members', '/members', {
    ...{ email: 'tries@example.com', role: 'auditor' },
  });
  const path = /\/link\/[\w-]{43}/.exec(invited.html)?.[0] ?? '';
  const statuses: number[] = [];
  for (let i = 0; i < 21; i++)
    statuses.push((await stranger().submit(path, path, { password: 'short' })).status);
  expect(statuses).toEqual([...Array(20).fill(422), 429]);
});

test('an IPv6 network counts as one, however many addresses it has', async () => {
  const { email } = await joins(harness, url, { role: 'auditor' });
  const from = (n: number) => newVisitor(url, `2001:db8:7:${n.toString(16)}::1`);
  for (let n = 0; n < 10; n++) expect(await guesses(from(n), email, 1)).toEqual({ 422: 1 });
  expect(await guesses(from(10), email, 1)).toEqual({ 429: 1 });
});

test('attempts that are refused for their address do not count against the member', async () => {
  const { email } = await joins(harness, url, { role: 'auditor' });
  const full = newVisitor(url, '2001:db8:8:1::1');
  const beside = newVisitor(url, '2001:db8:8:2::1');
  for (let n = 0; n < 6; n++) await guesses(full, `beside-${n}@example.com`, 10);
  expect(await guesses(full, email, 12)).toEqual({ 429: 12 });
  const fields = { email, password: goodPassword };
  expect((await beside.submit('/sign-in', '/sign-in', fields)).location).toBe('/');
});
