import { LRUCache } from 'lru-cache';

export type Used = {
  consumedPoints: number;
  msBeforeNext: number;
};

/** The part of rate-limiter-flexible that is used. `customDuration` is the length of a window that begins now, in seconds. */
export type Limiter = {
  consume(bucket: string, points: number, options: { customDuration: number }): Promise<Used>;
  get(bucket: string): Promise<Used | null>;
};

/**
 * Buckets that are held at most. Beyond that, those that nobody used for longest are forgotten, so that callers who change their name all
 * the time fill no memory. An entry takes about 200 bytes.
 */
const bucketsMax = 100_000;

/** Counts in the memory of this process. */
export function memoryLimiter(max = bucketsMax): Limiter & { size(): number } {
  const windows = new LRUCache<string, { used: number; endsAtMs: number }>({ max });
  const open = (bucket: string, now: number) => {
    const found = windows.get(bucket);
    return found !== undefined && found.endsAtMs > now ? found : undefined;
  };
  return {
    async consume(bucket, points, { customDuration }) {
      const now = Date.now();
      const known = open(bucket, now);
      const window = known ?? { used: 0, endsAtMs: now + customDuration * 1_000 };
      window.used += points;
      if (known === undefined) windows.set(bucket, window);
      return { consumedPoints: window.used, msBeforeNext: window.endsAtMs - now };
    },
    async get(bucket) {
      const now = Date.now();
      const window = open(bucket, now);
      return window === undefined
        ? null
        : { consumedPoints: window.used, msBeforeNext: window.endsAtMs - now };
    },
    size: () => windows.size,
  };
}
