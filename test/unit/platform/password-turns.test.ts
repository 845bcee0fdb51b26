import { expect, test } from 'vitest';
import { isWeakPassword } from '#platform/sign-in/password-strength.ts';
import { inTurn, passwordWork, requireRoom, type Turn } from '#platform/sign-in/password-turns.ts';

const overloaded = { code: 'overloaded' };

test('one piece of work at a time, and those who are known before strangers', async () => {
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  let atOnce = 0;
  const work = (name: string) => async () => {
    expect(++atOnce).toBe(1);
    await gate.promise;
    order.push(name);
    atOnce -= 1;
  };
  const all = [
    inTurn(work('first')),
    inTurn(work('stranger')),
    inTurn(work('known'), { organisation: 'a' }),
    inTurn(work('second stranger')),
  ];
  expect(passwordWork().waiting).toBe(3);
  gate.resolve();
  await Promise.all(all);
  expect(order).toEqual(['first', 'known', 'stranger', 'second stranger']);
});

test('of strangers twenty wait at most, and as many of the members of one organisation', async () => {
  const gate = Promise.withResolvers<void>();
  const work = () => gate.promise;
  const all = Array.from({ length: 21 }, (_, n) => inTurn(work, { network: `${n}` }));
  await expect(inTurn(work, { network: 'another' })).rejects.toMatchObject(overloaded);
  expect(() => requireRoom({ network: 'another' })).toThrow();
  const known = { organisation: 'a' };
  expect(() => requireRoom(known)).not.toThrow();
  all.push(...Array.from({ length: 20 }, () => inTurn(work, known)));
  await expect(inTurn(work, known)).rejects.toMatchObject(overloaded);
  expect(() => requireRoom({ organisation: 'b' })).not.toThrow();
  gate.resolve();
  await Promise.all(all);
  expect(passwordWork().waiting).toBe(0);
});

/** Nothing is done before `open`. What is done is noted in its order. */
function noted() {
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  const send = (name: string, turn: Turn) =>
    inTurn(async () => {
      await gate.promise;
      order.push(name);
    }, turn).catch(() => void order.push(`${name} refused`));
  return { order, send, open: () => gate.resolve() };
}

test('an organisation with much to do delays another one by one piece, and strangers by four', async () => {
  const { order, send, open } = noted();
  const all = Array.from({ length: 21 }, (_, n) => send(`flood ${n}`, { organisation: 'flood' }));
  all.push(send('member', { organisation: 'a' }), send('stranger', { network: 'b' }));
  open();
  await Promise.all(all);
  expect(order.indexOf('member')).toBeLessThanOrEqual(2);
  expect(order.indexOf('stranger')).toBeLessThanOrEqual(4);
  expect(order).toHaveLength(23);
});

test('networks of strangers take turns, and the one with most gives way when there is no room', async () => {
  const { order, send, open } = noted();
  const all = Array.from({ length: 21 }, (_, n) => send(`flood ${n}`, { network: 'flood' }));
  all.push(send('stranger', { network: 'b' }));
  open();
  await Promise.all(all);
  expect(order.indexOf('stranger')).toBeLessThanOrEqual(3);
  expect(order.filter((each) => each.endsWith('refused'))).toEqual(['flood 20 refused']);
});

test('work whose answer would be too late is not begun, and what fails stops nobody', async () => {
  const begun: string[] = [];
  const failing = inTurn(() => Promise.reject(new Error('failed')));
  const late = inTurn(async () => void begun.push('late'), { deadlineAt: Date.now() - 1 });
  const next = inTurn(async () => void begun.push('next'), { deadlineAt: Date.now() + 60_000 });
  await expect(failing).rejects.toThrow('failed');
  await expect(late).rejects.toMatchObject(overloaded);
  await next;
  expect(begun).toEqual(['next']);
});

test('while a password is judged, this process goes on with everything else', async () => {
  // The first answer waits for the dictionaries, the second for the judgement alone.
  await isWeakPassword('violet tractor', []);
  let longestMs = 0;
  let lastMs = performance.now();
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - lastMs);
    lastMs = performance.now();
  }, 1);
  const startedMs = performance.now();
  // Of repeated words with other letters for some, there are many ways to guess each.
  expect(await isWeakPassword('p4ssw0rd'.repeat(6), [])).toBe(true);
  const tookMs = performance.now() - startedMs;
  longestMs = Math.max(longestMs, performance.now() - lastMs);
  clearInterval(timer);
  expect(tookMs).toBeGreaterThan(20);
  expect(longestMs).toBeLessThan(tookMs / 2);
});
