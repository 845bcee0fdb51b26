import { createHmac } from 'node:crypto';

const hmac = (secret: string, timestamp: number, body: Uint8Array) =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();

/**
 * The value of X-Service-Signature (specification 6.2, 6.3): HMAC-SHA256 over `<timestamp>.<raw body>`. The key is the
 * whole secret with its `whsec_` prefix, as UTF-8 bytes (decision 30). One `v1` for each secret, in their order: two while
 * one takes over from the other (decision 35). The receiver's side is `docs/guide/verify-webhook.mjs`.
 */
export const signatureHeader = (
  secrets: string | readonly string[],
  timestampSeconds: number,
  body: Uint8Array,
): string =>
  [
    `t=${timestampSeconds}`,
    ...[secrets].flat().map((secret) => `v1=${hmac(secret, timestampSeconds, body).toString('hex')}`),
  ].join(',');
