import { setTimeout as pause } from 'node:timers/promises';
import { type Link, type LinkName, linkNames } from '../machine/network.ts';
import { whyNoRedis } from '../machine/servers.ts';
import { besideSecondWorker } from './beside.ts';
import type { Fault } from './fault.ts';

type Way = { name: string; cut(link: Link): void; heal(link: Link): Promise<void> | void };

/** How a network can break between two parts. */
const ways: readonly Way[] = [
  { name: 'refused', cut: ({ proxy }) => proxy.down(), heal: ({ proxy }) => proxy.up() },
  {
    name: 'nothing passes',
    cut: ({ proxy }) => proxy.hold('requests', 'answers'),
    heal: ({ proxy }) => proxy.release(),
  },
  {
    name: 'no answer passes',
    cut: ({ proxy }) => proxy.hold('answers'),
    heal: ({ proxy }) => proxy.release(),
  },
  { name: 'half closed', cut: ({ proxy }) => proxy.halfClose(), heal: ({ proxy }) => proxy.cut() },
];

const partition = (name: LinkName): Fault => ({
  name: `partition of ${name}`,
  mayRepeat: name.startsWith('worker'),
  maySendLate: name.startsWith('worker'),
  missing: name.endsWith('redis') ? whyNoRedis : undefined,
  plan({ links }, dice) {
    const link = links[name];
    const way = dice.pick(ways);
    const afterMs = dice.whole(100, 800);
    // All attempts of a delivery take 16 s, so no receiver is unreachable for all of them.
    const ms = dice.whole(2_000, 10_000);
    return {
      detail: `${way.name}, after ${afterMs} ms for ${ms} ms`,
      loadMs: ms,
      async break() {
        await pause(afterMs);
        way.cut(link);
        await pause(ms);
        return true;
      },
      async mend() {
        await way.heal(link);
      },
    };
  },
});

export const partitions: readonly Fault[] = linkNames.map((name) =>
  name.startsWith('worker') ? besideSecondWorker(partition(name)) : partition(name),
);
