import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { codeOf, goodPassword, joins, newVisitor, signsIn } from '#test/support/people/console.ts';
import { guesses, strangerAt } from './guesser.ts';

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();

const stranger = () => strangerAt(url);

test('the mark of a browser opens nothing: the code is asked for, and its own attempts are counted', async () => {
  const owner = await joins(harness, url);
  await owner.visitor.submit('/account', '/sign-out');
  await guesses(owner.visitor, owner.email, 10);
  expect(await guesses(owner.visitor, owner.email, 11)).toEqual({ 422: 10, 429: 1 });

  const second = await joins(harness, url);
  await second.visitor.submit('/account', '/sign-out');
  const fields = { email: second.email, password: goodPassword };
  expect((await second.visitor.submit('/sign-in', '/sign-in', fields)).location).toBe('/sign-in/code');
  expect((await second.visitor.get('/members')).location).toBe('/sign-in/code?next=%2Fmembers');
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
