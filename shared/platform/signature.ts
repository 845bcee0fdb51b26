import { createHmac, timingSafeEqual } from 'node:crypto';
import { limits } from '#contract/limits.ts';

const hmac = (secret: string, timestamp: number, body: Uint8Array) =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();

/**
 * The value of X-Service-Signature (specification 6.2, 6.3): HMAC-SHA256 over `<timestamp>.<raw body>`. The key is the
 * whole secret with its `whsec_` prefix, as UTF-8 bytes (decision 30).
 */
export const signatureHeader = (secret: string, timestampSeconds: number, body: Uint8Array): string =>
  `t=${timestampSeconds},v1=${hmac(secret, timestampSeconds, body).toString('hex')}`;

export type Verified =
  | { valid: true }
  | { valid: false; reason: 'missing' | 'malformed' | 'no_match' | 'too_old' };

type Signed = {
  header: string | undefined;
  body: Uint8Array;
  secret: string;
  nowSeconds: number;
  toleranceSeconds?: number;
};

/** The receiver's side of the same rule: any `v1` that matches in constant time, not older than five minutes. */
export function verifySignature({ header, body, secret, nowSeconds, toleranceSeconds }: Signed): Verified {
  if (header === undefined || header === '') return { valid: false, reason: 'missing' };
  const parts = header.split(',').map((part) => part.trim());
  const timestamps = parts.filter((part) => /^t=\d{1,12}$/.test(part)).map((part) => Number(part.slice(2)));
  const signatures = parts.filter((part) => /^v1=[0-9a-f]{64}$/.test(part)).map((part) => part.slice(3));
  const timestamp = timestamps[0];
  if (timestamp === undefined || timestamps.length > 1 || signatures.length === 0)
    return { valid: false, reason: 'malformed' };
  const expected = hmac(secret, timestamp, body);
  if (!signatures.some((hex) => timingSafeEqual(Buffer.from(hex, 'hex'), expected)))
    return { valid: false, reason: 'no_match' };
  if (nowSeconds - timestamp > (toleranceSeconds ?? limits.signatureAgeSecondsMax))
    return { valid: false, reason: 'too_old' };
  return { valid: true };
}
