import { expect, onTestFinished, test } from 'vitest';
import { inTurn, passwordWork } from '#platform/password-turns.ts';
import { codeOf, goodPassword, joins, newVisitor, pathOfInvitation, signsIn } from '#test/support/console.ts';
import { startHarness } from '#test/support/harness.ts';
import { guesses, strangerAt, wrong } from './guesser.ts';

const lines: string[] = [];
const harness = await startHarness({
  worker: false,
  logTo: { write: (line: string) => void lines.push(line) },
});
const { url } = await harness.startConsole();

const longWrong = 'nothing like the password';
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

test('the mark of a browser opens nothing: the code is asked for, and its own attempts are counted', async () => {
  const owner = await joins(harness, url);
  await owner.visitor.submit('/account', '/sign-out');
  await guesses(owner.visitor, owner.email, 10);
  expect(await guesses(owner.visitor, owner.email, 11)).toEqual({ 422: 10, 429: 1 });

  const second = await joins(harness, url);
  await second.visitor.submit('/account', '/sign-out');
  const fields = { email: second.email, password: goodPassword };
  expect((await second.visitor.submit('/sign-in', '/sign-in', fields)).location).toBe('/sign-in/code');
  expect((await second.visitor.get('/members')).location).toBe('/sign-in/code');
});

test('the mark of one member is of no use for another, also if both have the same address', async () => {
  const victim = await joins(harness, url, { role: 'auditor', email: 'same@example.com' });
  const insider = await joins(harness, url, { org: 'Other', role: 'auditor', email: 'same@example.com' });
  const fresh = 'gravel saucer meadow lighthouse';
  await insider.visitor.submit('/account', '/account/password', { old: goodPassword, fresh });
  await insider.visitor.submit('/account', '/sign-out');
  await guesses(insider.visitor, victim.email, 10);
  const send = (password: string) =>
    insider.visitor.submit('/sign-in', '/sign-in', { email: victim.email, password });
  expect((await send(goodPassword)).status, 'it is the password of the victim').toBe(422);
  expect((await send(fresh)).location).toBe('/');

  const third = await joins(harness, url, { role: 'auditor' });
  await insider.visitor.submit('/account', '/sign-out');
  await guesses(insider.visitor, third.email, 10);
  const other = await insider.visitor.submit('/sign-in', '/sign-in', {
    ...{ email: third.email, password: goodPassword },
  });
  expect(other.status).toBe(429);
});

test('the mark is hidden from scripts, says nothing, and comes with a complete sign-in alone', async () => {
  const owner = await joins(harness, url);
  const who = stranger();
  const half = await who.submit('/sign-in', '/sign-in', { email: owner.email, password: goodPassword });
  expect(half.headers.getSetCookie().join()).not.toContain('console-browser');
  const code = codeOf(owner.secret as Buffer, 1);
  const whole = await who.submit('/sign-in/code', '/sign-in/code', { code });
  const set = whole.headers.getSetCookie().find((each) => each.startsWith('console-browser='));
  expect(set).toMatch(/^console-browser=[\w-]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/);
  const value = Buffer.from(who.mark(), 'base64url').toString('latin1');
  for (const personal of [owner.email, owner.memberId, owner.memberId.replaceAll('-', '')])
    expect(value).not.toContain(personal);
});

test('who knows the password and guesses codes does not stop the member in a known browser', async () => {
  const owner = await joins(harness, url);
  await owner.visitor.submit('/account', '/sign-out');
  const thief = stranger();
  await thief.submit('/sign-in', '/sign-in', { email: owner.email, password: goodPassword });
  const statuses: number[] = [];
  for (let i = 0; i < 12; i++)
    statuses.push((await thief.submit('/sign-in/code', '/sign-in/code', { code: '000000' })).status);
  expect(statuses).toEqual([...Array(10).fill(422), 429, 429]);
  expect((await signsIn(owner.visitor, owner)).location).toBe('/');
});

test('who copied a mark does not use up the attempts of the browser that signs in again', async () => {
  const { visitor, email } = await joins(harness, url, { role: 'auditor' });
  const copied = visitor.mark();
  await visitor.submit('/account', '/sign-out');
  const fields = { email, password: goodPassword };
  await visitor.submit('/sign-in', '/sign-in', fields);
  await visitor.submit('/account', '/sign-out');
  const here = { 'x-forwarded-for': '198.51.100.8' };
  const thief = newVisitor(url, here['x-forwarded-for']);
  thief.setCookie('console-browser', copied);
  expect(await guesses(thief, email, 21)).toEqual({ 422: 20, 429: 1 });
  await visitor.get('/sign-in');
  expect((await visitor.post('/sign-in', fields, { headers: here })).location).toBe('/');
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

test('an organisation that floods its own links keeps no member of another one out', async () => {
  const member = await joins(harness, url, { role: 'auditor' });
  await member.visitor.submit('/account', '/sign-out');
  const gate = Promise.withResolvers<void>();
  onTestFinished(() => gate.resolve());
  const first = inTurn(() => gate.promise);
  const path = await pathOfInvitation(harness, 'Flood', { email: 'flood@example.com', role: 'auditor' });
  const flood = Array.from({ length: 20 }, () => stranger().submit(path, path, { password: 'password1234' }));
  const patient = { timeout: 20_000 };
  await expect.poll(() => passwordWork().waiting, patient).toBe(20);
  const known = signsIn(member.visitor, member);
  await Promise.race([known, expect.poll(() => passwordWork().waiting, patient).toBe(21)]);
  gate.resolve();
  expect((await known).location).toBe('/');
  await Promise.all([first, ...flood]);
});

test('with twenty hashes waiting a stranger gets 503 at once and is not counted, and a known browser goes first', async () => {
  const member = await joins(harness, url, { role: 'auditor' });
  await member.visitor.submit('/account', '/sign-out');
  const gate = Promise.withResolvers<void>();
  onTestFinished(() => gate.resolve());
  const waiting = Array.from({ length: 21 }, (_, n) => inTurn(() => gate.promise, { network: `${n}` }));
  const who = stranger();
  const attempts = await guesses(who, member.email, 12, longWrong);
  expect(attempts).toEqual({ 503: 12 });
  const page = await who.submit('/sign-in', '/sign-in', { email: member.email, password: longWrong });
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '2']);
  expect(page.html).toContain('Try again in a moment');

  const order: string[] = [];
  const last = inTurn(async () => void order.push('a stranger'), { network: 'last' }).catch(() =>
    order.push('refused'),
  );
  const known = signsIn(member.visitor, member).then(({ location }) => order.push(`known ${location}`));
  await expect.poll(() => passwordWork().waiting).toBe(21);
  gate.resolve();
  await Promise.all([...waiting, last, known]);
  expect(order).toEqual(['refused', 'known /']);
  expect(await guesses(who, member.email, 10), 'none of the refused ones was counted').toEqual({ 422: 10 });
  expect(lines.join('')).toContain('"refused":"failed"');
});
