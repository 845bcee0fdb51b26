import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

export type ExpiringCache<Value> = {
  /** Returns the cached value of this name, else the answer of `find`. An answer of undefined is not cached, so a new row is seen at once. */
  read(name: string, find: () => Promise<Value | undefined>): Promise<Value | undefined>;
  /** Lookups so far: a hit was answered from the cache, a miss by `find`. */
  metrics(): { hit: number; miss: number };
};

type Bounds = { entriesMax: number; lifetimeMs: number; clock: Pick<Clock, 'monotonicMs'> };

/** Caches each value until `lifetimeMs` after its lookup began, so no caller sees a value that is older than that. */
export function createExpiringCache<Value extends object>({
  entriesMax,
  lifetimeMs,
  clock,
}: Bounds): ExpiringCache<Value> {
  const kept = new LRUCache<string, Value>({
    max: entriesMax,
    ttl: lifetimeMs,
    ttlResolution: 0,
    perf: { now: () => clock.monotonicMs() },
  });
  const lookups = { hit: 0, miss: 0 };
  return {
    metrics: () => lookups,
    async read(name, find) {
      const known = kept.get(name);
      lookups[known === undefined ? 'miss' : 'hit'] += 1;
      if (known !== undefined) return known;
      const start = clock.monotonicMs();
      const found = await find();
      if (found !== undefined) kept.set(name, found, { start });
      return found;
    },
  };
}
