import { expect, test } from 'vitest';
import { passwordWork } from '#platform/sign-in/password-turns.ts';
import { startHarness } from '#test/support/harness.ts';
import { joins, newVisitor, signsIn } from '#test/support/people/console.ts';
import { guesses, strangerAt } from './guesser.ts';

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();

test('the owner signs in while one address sends 1,000 wrong passwords and ten addresses send 100 each', async () => {
  const owner = await joins(harness, url);
  await owner.visitor.submit('/account', '/sign-out');
  const before = passwordWork().done;
  const floods = [
    guesses(strangerAt(url), owner.email, 1_000),
    ...Array.from({ length: 10 }, () => guesses(strangerAt(url), owner.email, 100)),
  ];
  const inNewBrowser = async () => {
    const who = strangerAt(url);
    expect((await signsIn(who, owner)).location).toBe('/');
    expect((await who.get('/members')).status).toBe(200);
  };
  const inKnownBrowser = async () => {
    expect((await signsIn(owner.visitor, owner)).location).toBe('/');
    expect((await owner.visitor.get('/members')).status).toBe(200);
    await owner.visitor.submit('/account', '/sign-out');
  };
  await inNewBrowser();
  await inKnownBrowser();
  const counts = await Promise.all(floods);
  await inNewBrowser();
  await inKnownBrowser();

  const tried = counts.reduce((sum, { 422: each = 0 }) => sum + each, 0);
  const refused = counts.reduce((sum, { 429: each = 0 }) => sum + each, 0);
  expect(tried + refused).toBe(2_000);
  expect(tried).toBeGreaterThan(90);
  expect(tried).toBeLessThanOrEqual(110);
  expect(passwordWork().done - before).toBe(4);
}, 60_000);

test('all addresses of an IPv6 network have one bound together, whatever names they try', async () => {
  const from = (n: number) => newVisitor(url, `2001:db8:9:${n.toString(16)}::1`);
  for (let n = 0; n < 24; n++)
    expect(await guesses(from(n), `made-up-${n}@example.com`, 10)).toEqual({ 422: 10 });
  expect(await guesses(from(24), 'made-up-24@example.com', 2)).toEqual({ 429: 2 });
  const beside = newVisitor(url, '2001:db8:a:1::1');
  expect(await guesses(beside, 'made-up-25@example.com', 1)).toEqual({ 422: 1 });
});
