/**
 * Caches the result of `read` for `lifetimeMs`. Concurrent callers share one read. If a read fails, the result is undefined, and
 * this result is also cached for `lifetimeMs`.
 */
export function cachedFor<Found>(
  lifetimeMs: number,
  read: () => Promise<Found>,
): () => Promise<Found | undefined> {
  let reading: Promise<Found | undefined> | undefined;
  let readAtMs = 0;
  return () => {
    const nowMs = performance.now();
    if (reading === undefined || nowMs - readAtMs >= lifetimeMs) {
      readAtMs = nowMs;
      reading = read().catch(() => undefined);
    }
    return reading;
  };
}
