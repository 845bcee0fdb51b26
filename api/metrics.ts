import { evictionReasons, uploadGroups } from './arrivals.ts';
import type { ServerContext } from './server-context.ts';

/** Registers the metrics of an API process. Each value is read when the metrics are collected. */
export function observeApi({
  instruments,
  admission,
  rateLimits,
  keyCache,
  requestLog,
}: ServerContext): void {
  for (const kind of ['completing', 'pending'] as const) {
    instruments.createsAllowed.addCallback((result) => result.observe(admission[kind].limit(), { kind }));
    instruments.createsInProgress.addCallback((result) =>
      result.observe(admission[kind].working(), { kind }),
    );
  }
  instruments.rateLimitStore.addCallback((result) => {
    const redis = rateLimits.redis();
    result.observe(Number(redis !== 'ok'), { store: 'memory' });
    if (redis !== undefined) result.observe(Number(redis === 'ok'), { store: 'redis' });
  });
  instruments.rateLimitBreaker.addCallback((result) => {
    const breaker = rateLimits.breaker();
    if (breaker !== undefined) result.observe(Number(breaker === 'open'));
  });
  instruments.keyLookups.addCallback((result) => {
    const { hit, miss } = keyCache.metrics();
    result.observe(hit, { result: 'hit' });
    result.observe(miss, { result: 'miss' });
  });
  instruments.requestLogWaiting.addCallback((result) => result.observe(requestLog.metrics().waiting));
  instruments.requestLogLost.addCallback((result) => result.observe(requestLog.metrics().lost));
  // The counter is served from the start, so that its rate has a beginning.
  for (const full of uploadGroups)
    for (const reason of evictionReasons) instruments.uploadsEvicted.add(0, { full, reason });
}
