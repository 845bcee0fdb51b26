import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

export type ExpiringCache<Value> = {
  /**
   * Returns the cached value for `name`. If no value is cached, calls `find` and caches its result. A result of undefined is not
   * cached, so that a new row is visible immediately.
   */
  read(name: string, find: () => Promise<Value | undefined>): Promise<Value | undefined>;
  /** The number of lookups so far. The cache answered every hit, and `find` was called for every miss. */
  metrics(): { hit: number; miss: number };
};

type Bounds = { entriesMax: number; lifetimeMs: number; clock: Pick<Clock, 'monotonicMs'> };

/**
 * Caches each value for `lifetimeMs`, counted from the start of its lookup. No caller gets a value that is
 * older than `lifetimeMs`.
 */
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
