import { expect, onTestFinished, test, vi } from 'vitest';
import { inTurn, passwordWork } from '#platform/sign-in/password-turns.ts';
import { startHarness } from '#test/support/harness.ts';
import { goodPassword, joins, pathOfInvitation, signsIn } from '#test/support/people/console.ts';
import { guesses, strangerAt } from './guesser.ts';

const lines: string[] = [];
const harness = await startHarness({
  worker: false,
  logTo: { write: (line: string) => void lines.push(line) },
});
const { url } = await harness.startConsole();

const longWrong = 'nothing like the password';
const stranger = () => strangerAt(url);

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

test('work on a password whose turn comes after the deadline of its request is not begun: 503', async () => {
  const owner = await joins(harness, url);
  const { email } = await joins(harness, url, { role: 'auditor' });
  const invited = await owner.visitor.submit('/members', '/members', {
    ...{ email: 'too-late@example.com', role: 'auditor' },
  });
  const link = /\/link\/[\w-]{43}/.exec(invited.html)?.[0] ?? '';
  const fresh = 'gravel saucer meadow lighthouse';
  const requests = {
    'a sign-in': () => stranger().submit('/sign-in', '/sign-in', { email, password: longWrong }),
    'a first password': () => stranger().submit(link, link, { password: goodPassword }),
    'a new password': () =>
      owner.visitor.submit('/account', '/account/password', { old: goodPassword, fresh }),
  };
  onTestFinished(() => void vi.useRealTimers());
  for (const [what, send] of Object.entries(requests)) {
    const gate = Promise.withResolvers<void>();
    onTestFinished(() => gate.resolve());
    const before = inTurn(() => gate.promise);
    const answer = send();
    await expect.poll(() => passwordWork().waiting, { message: what }).toBe(1);
    const { done, refused } = passwordWork();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
    gate.resolve();
    await before;
    const { status } = await answer;
    vi.useRealTimers();
    expect([what, status, passwordWork()]).toEqual([what, 503, { done, refused: refused + 1, waiting: 0 }]);
  }
});
