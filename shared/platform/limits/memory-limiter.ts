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
 * Buckets of one length of window that are held at most. Beyond that, those that nobody used for longest are forgotten, so that callers who
 * change their name all the time fill no memory. An entry takes about 200 bytes.
 */
const bucketsMax = 100_000;

type Windows = LRUCache<string, { used: number; endsAtMs: number }>;

/**
 * Counts in the memory of this process. Buckets with other windows are held apart: strangers can make up names for the usual window, and
 * must not make the process forget what it counts for a day.
 */
export function memoryLimiter(max = bucketsMax): Limiter & { size(): number } {
  const all = new Map<number, Windows>();
  const withLength = (seconds: number): Windows => {
    const windows: Windows = all.get(seconds) ?? new LRUCache({ max });
    all.set(seconds, windows);
    return windows;
  };
  const openIn = (windows: Windows, bucket: string, now: number) => {
    const found = windows.get(bucket);
    return found !== undefined && found.endsAtMs > now ? found : undefined;
  };
  return {
    async consume(bucket, points, { customDuration }) {
      const now = Date.now();
      const windows = withLength(customDuration);
      const known = openIn(windows, bucket, now);
      const window = known ?? { used: 0, endsAtMs: now + customDuration * 1_000 };
      window.used += points;
      if (known === undefined) windows.set(bucket, window);
      return { consumedPoints: window.used, msBeforeNext: window.endsAtMs - now };
    },
    async get(bucket) {
      const now = Date.now();
      const [window] = [...all.values()].flatMap((windows) => openIn(windows, bucket, now) ?? []);
      return window === undefined
        ? null
        : { consumedPoints: window.used, msBeforeNext: window.endsAtMs - now };
    },
    size: () => [...all.values()].reduce((sum, { size }) => sum + size, 0),
  };
}
