import type { Log } from '#platform/log.ts';
import type { PictureDecoder } from '#platform/pictures/decoders.ts';
import type { RateLimits } from '#platform/rate-limits.ts';
import type { Context } from '#services/context.ts';
import type { KeyCache } from '#services/keys/key-cache.ts';
import type { RequestLog } from '#services/request-log/request-log.ts';

/** The context of a process that listens for requests. Each process creates these objects for itself. */
export type ServerContext = Context & {
  keyCache: KeyCache;
  rateLimits: RateLimits;
  decoder: PictureDecoder;
  requestLog: RequestLog;
  log: Log;
};
