import { expect, test } from 'vitest';
import { isWeakPassword } from '#platform/password-strength.ts';
import { inTurn, passwordWork, requireRoom } from '#platform/password-turns.ts';

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
    inTurn(work('known'), { isKnown: true }),
    inTurn(work('second stranger')),
  ];
  expect(passwordWork().waiting).toBe(3);
  gate.resolve();
  await Promise.all(all);
  expect(order).toEqual(['first', 'known', 'stranger', 'second stranger']);
});

test('of strangers twenty wait at most, and as many of the others', async () => {
  const gate = Promise.withResolvers<void>();
  const work = () => gate.promise;
  const all = Array.from({ length: 21 }, () => inTurn(work));
  await expect(inTurn(work)).rejects.toMatchObject(overloaded);
  expect(() => requireRoom({})).toThrow();
  expect(() => requireRoom({ isKnown: true })).not.toThrow();
  all.push(...Array.from({ length: 20 }, () => inTurn(work, { isKnown: true })));
  await expect(inTurn(work, { isKnown: true })).rejects.toMatchObject(overloaded);
  gate.resolve();
  await Promise.all(all);
  expect(passwordWork().waiting).toBe(0);
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
