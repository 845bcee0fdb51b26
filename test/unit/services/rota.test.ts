import { expect, test } from 'vitest';
import { beginning, createRota, pickTurns } from '#services/attempts/rota.ts';
import { createTurns } from '#services/attempts/turns.ts';

const newTurns = () => createTurns({ attempts: 10_000, perEndpoint: 20 }, { monotonicMs: () => 0 });

/** Serves one queue in a round, which stays full, and returns its endpoint. */
function rounds(rota: ReturnType<typeof createRota>, count: number): string[] {
  const turns = newTurns();
  return Array.from({ length: count }, () => {
    const [[queue, granted] = []] = pickTurns(turns, rota, 1);
    if (queue === undefined) throw new Error('nobody was served');
    for (const turn of granted ?? []) turn.end();
    rota.served(queue, new Date());
    return queue.endpointId;
  });
}

test('where one is served in a round, one organisation with many queues does not delay the queue of another', () => {
  const rota = createRota();
  for (let n = 0; n < 150; n++) rota.add({ orgId: 'crowd', endpointId: `crowd ${n}` });
  rota.add({ orgId: 'other', endpointId: 'other' });
  const served = rounds(rota, 20);
  expect(served.filter((endpointId) => endpointId === 'other')).toHaveLength(10);
  expect(new Set(served).size).toBe(11);
});

test('an organisation whose queue gets more while it is served waits for its next turn as any other', () => {
  const rota = createRota();
  const [busy, other] = [
    { orgId: 'busy', endpointId: 'busy' },
    { orgId: 'other', endpointId: 'other' },
  ];
  for (const queue of [busy, other]) rota.add(queue);
  const turns = newTurns();
  const served = Array.from({ length: 10 }, () => {
    const [[queue] = []] = pickTurns(turns, rota, 1);
    rota.add(busy);
    if (queue !== undefined) rota.served(queue, new Date());
    return queue?.endpointId;
  });
  expect(served.filter((endpointId) => endpointId === 'other')).toHaveLength(5);
});

test('what is added while its queue turns out to be empty stays known', () => {
  const rota = createRota();
  const queue = { orgId: 'a', endpointId: 'a1' };
  rota.add(queue);
  const [[known] = []] = pickTurns(newTurns(), rota, 1);
  if (known === undefined) throw new Error('nobody was served');
  rota.add(queue);
  rota.served(known, undefined);
  expect(rota.has(queue)).toBe(true);
  const [[again] = []] = pickTurns(newTurns(), rota, 1);
  if (again === undefined) throw new Error('nobody was served');
  rota.served(again, undefined);
  expect(rota.has(queue)).toBe(false);
});

test('a round gives as many turns as there is room, one organisation after the other', () => {
  const rota = createRota();
  for (const endpointId of ['a1', 'a2']) rota.add({ orgId: 'a', endpointId });
  rota.add({ orgId: 'b', endpointId: 'b1' });
  const picked = [...pickTurns(newTurns(), rota, 7)].map(([{ endpointId }, { length }]) => [
    endpointId,
    length,
  ]);
  expect(Object.fromEntries(picked)).toEqual({ a1: 2, b1: 3, a2: 2 });
  expect(pickTurns(newTurns(), rota, 0).size).toBe(0);
});

test('who gets no turn is left out, and the others share the room', () => {
  const rota = createRota();
  for (const endpointId of ['full', 'free']) rota.add({ orgId: 'a', endpointId });
  const turns = newTurns();
  for (let n = 0; n < 20; n++) turns.takeNow({ orgId: 'a', endpointId: 'full' });
  const picked = [...pickTurns(turns, rota, 100)].map(([{ endpointId }, { length }]) => [endpointId, length]);
  expect(picked).toEqual([['free', 20]]);
});

test('a queue that gets a delivery while it is served stays known, and an empty one is forgotten', () => {
  const rota = createRota();
  const queue = { orgId: 'a', endpointId: 'a1' };
  const served = () => rota.lists()[0]?.[0] ?? { ...queue, from: beginning };
  rota.add(queue);
  const before = served();
  rota.add(queue);
  rota.served(before, undefined);
  expect(rota.has(queue)).toBe(true);
  rota.served(served(), undefined);
  expect(rota.has(queue)).toBe(false);
  expect(rota.lists()).toEqual([]);
});

test('who waits for a queue goes on with the first one, at once while one is known, or when woken', async () => {
  const rota = createRota();
  const events: string[] = [];
  const follow = (name: string) => rota.untilKnown().then(() => events.push(name));
  const first = follow('first');
  await new Promise(setImmediate);
  expect(events).toEqual([]);
  rota.add({ orgId: 'a', endpointId: 'a1' });
  await first;
  await follow('known');
  const [[queue] = []] = rota.lists();
  if (queue !== undefined) rota.served(queue, undefined);
  const woken = follow('woken');
  await new Promise(setImmediate);
  expect(events).toEqual(['first', 'known']);
  rota.wake();
  await woken;
});
