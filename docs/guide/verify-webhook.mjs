/**
 * Checks that a webhook comes from the service. Copy this file; it imports nothing. It runs on Node 20 or newer, Deno, Bun and
 * every other platform with the Web Cryptography API.
 */

const encoder = new TextEncoder();

/** @typedef {'missing_header' | 'malformed_header' | 'no_match' | 'too_old' | 'too_new' | 'body_reencoded'} Cause */

/** @type {Record<Cause, string>} */
const messages = {
  missing_header: 'There is no X-Service-Signature header.',
  malformed_header: 'X-Service-Signature is not t=<unix>,v1=<hex>.',
  no_match:
    'No signature matches. Is it the whole secret of this endpoint, with whsec_, and the body exactly as it was received?',
  too_old: 'The timestamp is older than the tolerance. Is the clock right?',
  too_new: 'The timestamp is in the future by more than the tolerance. Is the clock right?',
  body_reencoded: 'The body was parsed and serialised again. Pass the bytes exactly as they were received.',
};

/** The reason why an event was not accepted; `code` is for programs, `message` for people. */
export class WebhookError extends Error {
  /** @param {Cause} code */
  constructor(code) {
    super(messages[code]);
    this.name = 'WebhookError';
    this.code = code;
  }
}

/**
 * Returns the event if one of the secrets has signed it. Throws a WebhookError otherwise.
 *
 * @param {Uint8Array | string} rawBody the body exactly as it was received
 * @param {Headers | Record<string, string | string[] | undefined>} headers of the request, in upper or lower case
 * @param {string | readonly string[]} secrets the endpoint's whole secret; both secrets during a rotation
 * @param {{ toleranceSeconds?: number, nowSeconds?: number }} [options] the greatest accepted difference of the
 *   timestamp to the present time (300), and the present time
 */
export async function verifyWebhook(rawBody, headers, secrets, options = {}) {
  const { toleranceSeconds = 300, nowSeconds = Date.now() / 1000 } = options;
  const { timestamp, signatures } = parsed(headerOf(headers, 'x-service-signature'));
  if (typeof rawBody !== 'string' && !ArrayBuffer.isView(rawBody)) throw new WebhookError('body_reencoded');
  const body = typeof rawBody === 'string' ? encoder.encode(rawBody) : rawBody;

  const isSigned = (/** @type {Uint8Array} */ bytes) =>
    anySigned([secrets].flat(), signatures, timestamp, bytes);
  if (!(await isSigned(body)))
    throw new WebhookError((await isSigned(reencoded(body))) ? 'body_reencoded' : 'no_match');
  const ageSeconds = nowSeconds - Number(timestamp);
  if (ageSeconds > toleranceSeconds) throw new WebhookError('too_old');
  if (-ageSeconds > toleranceSeconds) throw new WebhookError('too_new');
  return JSON.parse(new TextDecoder().decode(body));
}

/** @param {Headers | Record<string, string | string[] | undefined>} headers @param {string} name */
function headerOf(headers, name) {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return entries
    .filter(([key]) => key.toLowerCase() === name)
    .map(([, value]) => String(value ?? ''))
    .join(',');
}

/** Reads one `t` and any number of `v1`; ignores other schemes. @param {string} header */
function parsed(header) {
  if (header === '') throw new WebhookError('missing_header');
  const fields = header.split(',').map((field) => field.trim());
  const [timestamp, ...more] = fields
    .filter((field) => /^t=\d{1,12}$/.test(field))
    .map((field) => field.slice(2));
  const signatures = fields.filter((field) => /^v1=[0-9a-f]{64}$/.test(field)).map((field) => field.slice(3));
  if (timestamp === undefined || more.length > 0 || signatures.length === 0)
    throw new WebhookError('malformed_header');
  return { timestamp, signatures };
}

/**
 * HMAC-SHA256 over `<timestamp>.<body>`, compared in constant time by the platform.
 *
 * @param {readonly string[]} secrets @param {readonly string[]} signatures @param {string} timestamp @param {Uint8Array} body
 */
async function anySigned(secrets, signatures, timestamp, body) {
  const prefix = encoder.encode(`${timestamp}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  for (const secret of secrets) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, bytesOf(signature), signed)) return true;
  }
  return false;
}

/** @param {string} hex */
const bytesOf = (hex) =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));

/** The body as the service serialises it. If this matches the signature, somebody has parsed and serialised the body again. @param {Uint8Array} body */
function reencoded(body) {
  try {
    return encoder.encode(JSON.stringify(JSON.parse(new TextDecoder().decode(body))));
  } catch {
    return body;
  }
}
