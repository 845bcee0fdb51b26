import { createHmac } from 'node:crypto';

const hmac = (secret: string, timestamp: number, body: Uint8Array) =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();

/**
 * The value of the header X-Service-Signature (specification 6.2, 6.3). For every secret, the value contains one `v1`, the
 * HMAC-SHA256 of `<timestamp>.<raw body>`. The key of the HMAC is the whole secret with its `whsec_` prefix, as UTF-8 bytes
 * (decision 30). During the overlap after a rotation, there are two secrets (decision 35). `docs/guide/verify-webhook.mjs` shows
 * how a receiver verifies the header.
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
