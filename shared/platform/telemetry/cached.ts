/**
 * What `read` found, read again once that is older than `lifetimeMs`; those who ask meanwhile share one reading. Undefined when
 * it failed, which is kept as long.
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
