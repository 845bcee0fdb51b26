import type { Clock } from '#platform/clock.ts';
import { createExpiringCache, type ExpiringCache } from '#platform/expiring-cache.ts';
import type { findKeyByHash } from '#store/keys.ts';

export type StoredKey = NonNullable<Awaited<ReturnType<typeof findKeyByHash>>>;

/** Keys as they were read a moment ago, by their hash. Each process that listens has one of its own. */
export type KeyCache = ExpiringCache<StoredKey>;

/** A key that is revoked works on for this long, and for the request that is under way by then: under 5 s in all. */
const lifetimeMs = 4_000;
const entriesMax = 10_000;

export const createKeyCache = (clock: Clock): KeyCache =>
  createExpiringCache<StoredKey>({ entriesMax, lifetimeMs, clock });
