import type { RateLimits } from '#platform/rate-limits.ts';
import type { Context } from '#services/context.ts';
import type { KeyCache } from '#services/keys/key-cache.ts';
import type { RequestLog } from '#services/request-log/request-log.ts';

/** The context of a process that listens. No two processes share these three. */
export type DoorContext = Context & {
  keyCache: KeyCache;
  rateLimits: RateLimits;
  requestLog: RequestLog;
};
