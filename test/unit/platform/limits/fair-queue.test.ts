import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairQueue, QueueFull } from '#platform/limits/fair-queue.ts';

/** Starts one task for each letter of `owners`. Returns the order in which the tasks ran, and how many ran at once at most. */
async function run(atOnceMax: number, owners: string) {
  const inTurn = createFairQueue({ atOnceMax, waitingPerOwnerMax: 10 });
  let order = '';
  let running = 0;
  let most = 0;
  const work = (owner: string) => async () => {
    order += owner;
    most = Math.max(most, ++running);
    await turn();
    running--;
    return owner;
  };
  const results = await Promise.all([...owners].map((owner) => inTurn(owner, work(owner))));
  expect(results.join('')).toBe(owners);
  return { order, most };
}

test('no more runs at once than allowed, and everything runs', async () => {
  expect(await run(2, 'aaaaa')).toEqual({ order: 'aaaaa', most: 2 });
  expect((await run(2, 'a')).most).toBe(1);
});

test('an owner with much work delays another by one piece of work at most', async () => {
  expect((await run(1, 'aaaaab')).order).toBe('aabaaa');
  expect((await run(1, 'aaaabbbc')).order).toBe('aabcabab');
});

test('work that fails rejects for its caller alone, and the next runs', async () => {
  const inTurn = createFairQueue({ atOnceMax: 1, waitingPerOwnerMax: 10 });
  const failing = inTurn('a', () => Promise.reject(new Error('broken')));
  const after = inTurn('a', async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  await expect(after).resolves.toBe('done');
});

test('an owner with too much waiting is refused, and another is not', async () => {
  const inTurn = createFairQueue({ atOnceMax: 1, waitingPerOwnerMax: 1 });
  const running = inTurn('a', turn);
  const waiting = inTurn('a', turn);
  await expect(inTurn('a', turn)).rejects.toThrow(QueueFull);
  await Promise.all([running, waiting, inTurn('b', turn)]);
});

test('with too much waiting of all, an owner of whom nothing waits is still let in, with one piece', async () => {
  const inTurn = createFairQueue({ atOnceMax: 1, waitingPerOwnerMax: 2, waitingMax: 3 });
  const admitted = ['a', 'a', 'b', 'b', 'c'].map((owner) => inTurn(owner, turn));
  await expect(inTurn('c', turn)).rejects.toThrow(QueueFull);
  await expect(inTurn('a', turn)).rejects.toThrow(QueueFull);
  await Promise.all([...admitted, inTurn('d', turn)]);
  await Promise.all([inTurn('a', turn), inTurn('a', turn)]);
});
