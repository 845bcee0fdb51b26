import type { Grant } from '#contract/enums.ts';
import { Problem } from '#contract/errors.ts';
import { environmentOfKey, hashApiKey } from '#platform/crypto/api-key.ts';
import { sha256Hex } from '#platform/crypto/crypto.ts';
import { findKeyByHash } from '#store/organisations/keys.ts';
import { type Caller, callerOfKey } from '../caller.ts';
import type { Context } from '../context.ts';
import type { KeyCache } from './key-cache.ts';

/** The holder of an API key (specification 5). */
export type KeyHolder = {
  caller: Caller;
  keyId: string;
  grants: readonly Grant[];
  /** Requests per minute. If null, the default in `limits` applies. */
  rateLimit: number | null;
  /** True if the operator has paused the organisation. */
  isPaused: boolean;
};

const bearer = /^Bearer +(\S+) *$/i;

/** Finds the holder by the Authorization header. Missing, invalid and expired keys have different error codes (decision 16). */
export async function authenticate(
  { store, clock, keyCache }: Pick<Context, 'store' | 'clock'> & { keyCache: KeyCache },
  authorization: string | undefined,
): Promise<KeyHolder> {
  if (authorization === undefined || authorization.trim() === '') throw new Problem('missing_api_key');
  const key = bearer.exec(authorization)?.[1];
  const environment = key === undefined ? undefined : environmentOfKey(key);
  if (key === undefined || environment === undefined) throw new Problem('invalid_api_key');
  const row = await keyCache.read(sha256Hex(key), () => findKeyByHash(store.reads, hashApiKey(key)));
  if (row === undefined || row.environment !== environment || row.revokedAt !== null)
    throw new Problem('invalid_api_key');
  if (row.expiresAt !== null && row.expiresAt <= clock.now()) throw new Problem('expired_api_key');
  const { id: keyId, grants, rateLimit, isPaused } = row;
  return { caller: callerOfKey(row), keyId, grants, rateLimit, isPaused };
}
