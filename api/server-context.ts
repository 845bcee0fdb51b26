import type { Returned } from '#contract/eid.ts';
import type { CreateAdmission } from '#platform/limits/admission.ts';
import type { RateLimits } from '#platform/limits/rate-limits.ts';
import type { Log } from '#platform/log.ts';
import type { PictureDecoder } from '#platform/pictures/decoders.ts';
import type { RunStarts } from '#platform/temporal/run-starts.ts';
import type { Context } from '#services/context.ts';
import type { KeyCache } from '#services/keys/key-cache.ts';
import type { RequestLog } from '#services/request-log/request-log.ts';

/** The context of a process that listens for requests. Each process creates these objects for itself. */
export type ServerContext = Context & {
  admission: CreateAdmission;
  runStarts: RunStarts;
  keyCache: KeyCache;
  rateLimits: RateLimits;
  decoder: PictureDecoder;
  requestLog: RequestLog;
  log: Log;
  /** What the address says with which a person comes back from a bank. Undefined if no bank writes it so. */
  parseReturn(query: URLSearchParams): Returned | undefined;
};
