import type { Clock } from '#platform/clock.ts';
import { createExpiringCache, type ExpiringCache } from '#platform/expiring-cache.ts';
import type { findKeyByHash } from '#store/organisations/keys.ts';

export type StoredKey = NonNullable<Awaited<ReturnType<typeof findKeyByHash>>>;

/** Recently read rows of API keys, by the SHA-256 of the key. Each API process has its own cache. */
export type KeyCache = ExpiringCache<StoredKey>;

/**
 * A revoked key can still work for this time. The documentation promises 5 s, which also covers a request that is already running.
 */
const lifetimeMs = 4_000;
const entriesMax = 10_000;

export const createKeyCache = (clock: Clock): KeyCache =>
  createExpiringCache<StoredKey>({ entriesMax, lifetimeMs, clock });
