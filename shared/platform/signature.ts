import { createHmac } from 'node:crypto';

const hmac = (secret: string, timestamp: number, body: Uint8Array) =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();

/**
 * The value of the header X-Service-Signature (specification 6.2, 6.3): HMAC-SHA256 over `<timestamp>.<raw body>`. The key is
 * the whole secret with its `whsec_` prefix, as UTF-8 bytes (decision 30). There is one `v1` per secret, and there are two
 * secrets during the overlap of a rotation (decision 35). `docs/guide/verify-webhook.mjs` is the receiver's side.
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
