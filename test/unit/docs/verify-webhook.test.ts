import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { verifyWebhook, WebhookError } from '#docs/guide/verify-webhook.mjs';
import { signatureHeader } from '#platform/crypto/signature.ts';
import { covers } from '#test/requirements.ts';

type Vector = {
  title: string;
  body: string;
  header: string | null;
  secrets: string[];
  now: number;
  result: string;
};
const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../../vectors/webhook-signatures.json', import.meta.url), 'utf8'),
);

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = Buffer.from('{"id":"evt_01","data":{"reference":"café"}}');
const t = 1_767_225_600;
const header = signatureHeader(secret, t, body);
const headers = { 'x-service-signature': header };

async function causeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof WebhookError) return error.code;
    throw error;
  }
  return 'valid';
}

describe('the test vectors', () => {
  covers('6.3/hmac', '6.3/timestamp-and-raw-body', '6.3/five-minutes', '8/signature-age');

  test.each(vectors)('$title: $result', async ({ body, header, secrets, now, result }) => {
    const given = header === null ? {} : { 'X-Service-Signature': header };
    expect(await causeOf(verifyWebhook(Buffer.from(body), given, secrets, { nowSeconds: now }))).toBe(result);
  });

  test('hold every cause', () => {
    expect(new Set(vectors.map(({ result }) => result))).toEqual(
      new Set([
        'valid',
        'missing_header',
        'malformed_header',
        'no_match',
        'too_old',
        'too_new',
        'body_reencoded',
      ]),
    );
  });
});

describe('the helper', () => {
  const now = { nowSeconds: t };

  test('gives the event', async () => {
    expect(await verifyWebhook(body, headers, secret, now)).toEqual(JSON.parse(body.toString()));
    expect(await verifyWebhook(body.toString(), headers, secret, now)).toHaveProperty('id', 'evt_01');
  });

  test.each([
    ["Node's headers", headers],
    ['headers in other case', { 'X-Service-Signature': header }],
    ['headers as a list', { 'X-SERVICE-SIGNATURE': header.split(',') }],
    ['a Headers object', new Headers({ 'X-Service-Signature': header })],
  ])('reads %s', async (_, given) => {
    expect(await causeOf(verifyWebhook(body, given, secret, now))).toBe('valid');
  });

  test('says so when it is given an object in place of the body', async () => {
    const parsed = JSON.parse(body.toString()) as never;
    expect(await causeOf(verifyWebhook(parsed, headers, secret, now))).toBe('body_reencoded');
  });

  test('leaves the comparison to the platform, which takes constant time', async () => {
    covers('6.3/constant-time');
    const verify = vi.spyOn(crypto.subtle, 'verify').mockResolvedValue(false);
    expect(await causeOf(verifyWebhook(body, headers, secret, now))).toBe('no_match');
    expect(verify).toHaveBeenCalled();
    verify.mockRestore();
  });

  test('takes another tolerance, and the present time unless told otherwise', async () => {
    const fresh = Math.floor(Date.now() / 1_000);
    const freshHeaders = { 'x-service-signature': signatureHeader(secret, fresh, body) };
    expect(await causeOf(verifyWebhook(body, freshHeaders, secret))).toBe('valid');
    expect(await causeOf(verifyWebhook(body, headers, secret))).toBe('too_old');
    const later = { nowSeconds: t + 60, toleranceSeconds: 59 };
    expect(await causeOf(verifyWebhook(body, headers, secret, later))).toBe('too_old');
  });

  test('names no secret and no part of the body in its messages', async () => {
    const error = await verifyWebhook(body, headers, 'whsec_other', now).catch((caught) => caught);
    expect(error).toMatchObject({ name: 'WebhookError', code: 'no_match' });
    expect(error.message).not.toMatch(/other|evt_01/);
  });

  test('needs nothing but itself', () => {
    const source = readFileSync(new URL('../../../docs/guide/verify-webhook.mjs', import.meta.url), 'utf8');
    expect(source).not.toMatch(/^\s*import\b|\brequire\(|\bimport\(/m);
  });
});
