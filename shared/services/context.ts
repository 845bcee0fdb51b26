import type { AddressRules } from '#platform/addresses.ts';
import type { Clock } from '#platform/clock.ts';
import type { Secrets } from '#platform/crypto.ts';
import type { Engine } from '#platform/engine.ts';
import type { RateLimits } from '#platform/rate-limits.ts';
import type { Instruments } from '#platform/telemetry/instruments.ts';
import type { Store } from '#store/connection.ts';
import type { OrgScope } from '#store/scope.ts';
import type { KeyCache } from './keys/key-cache.ts';
import type { RequestLog } from './request-log/request-log.ts';

/** What every verb can reach. Each process puts it together when it starts. */
export type Context = {
  store: Store;
  engine: Engine;
  clock: Clock;
  secrets: Secrets;
  addresses: AddressRules;
  instruments: Instruments;
  /** Prefix of every link, without a slash at its end. */
  publicUrl: string;
};

/** What each process with doors has besides, shared with no other. */
export type DoorContext = Context & {
  keyCache: KeyCache;
  rateLimits: RateLimits;
  requestLog: RequestLog;
};

/** A verb's context when somebody called it: whose data, and by which request. */
export type CallerContext = Context & {
  scope: OrgScope;
  requestId: string;
  /** Header Idempotency-Key, where the operation honours it. */
  idempotencyKey: string | undefined;
  /** SHA-256 of method, path and the parsed body before defaults (decision 21). */
  fingerprint(): Buffer;
  /** Epoch milliseconds by which the answer must be out. */
  deadlineAt: number;
};
