import { timingSafeEqual } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { signatureHeader, verifySignature } from '#platform/signature.ts';
import { covers } from '#test/requirements.ts';

vi.mock('node:crypto', async (load) => {
  const crypto = await load<typeof import('node:crypto')>();
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) };
});

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = Buffer.from('{"id":"evt_01","reference":"café"}');
const t = 1_767_225_600;
/** printf '1767225600.{"id":"evt_01","reference":"café"}' | openssl dgst -sha256 -hmac 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' */
const v1 = '6d86f400bb94033fbbb1face542163836bc71a63685163ff39666f7849fd384e';
const other = 'a'.repeat(64);

const verify = (change: Partial<Parameters<typeof verifySignature>[0]>) =>
  verifySignature({ header: `t=${t},v1=${v1}`, body, secret, nowSeconds: t, ...change });

describe('signing', () => {
  test('gives what OpenSSL computed', () => {
    covers('6.2/signature-header', '6.3/hmac', '6.3/timestamp-and-raw-body');
    expect(signatureHeader(secret, t, body)).toBe(`t=${t},v1=${v1}`);
  });

  test('covers the bytes and not the text: what is no UTF-8 is signed as it is', () => {
    const bytes = Buffer.from([0xff, 0x00, 0xfe]);
    const header = signatureHeader(secret, t, bytes);
    expect(verify({ header, body: bytes })).toEqual({ valid: true });
    expect(verify({ header, body: Buffer.from(bytes.toString('utf8')) }).valid).toBe(false);
  });
});

describe('verifying', () => {
  test('accepts what was signed', () => {
    expect(verify({})).toEqual({ valid: true });
  });

  test('compares in constant time', () => {
    covers('6.3/constant-time');
    vi.mocked(timingSafeEqual).mockReturnValueOnce(false);
    expect(verify({})).toEqual({ valid: false, reason: 'no_match' });
  });

  test('accepts any of several v1, as during the overlap of two secrets', () => {
    expect(verify({ header: `t=${t},v1=${other},v1=${v1}` })).toEqual({ valid: true });
    expect(verify({ header: `t=${t},v1=${v1},v1=${other}` })).toEqual({ valid: true });
  });

  test('passes over other schemes and spaces', () => {
    expect(verify({ header: `t=${t}, v0=${other}, v1=${v1}` })).toEqual({ valid: true });
  });

  test('refuses another body, secret or time', () => {
    const noMatch = { valid: false, reason: 'no_match' };
    expect(verify({ body: Buffer.concat([body, Buffer.from(' ')]) })).toEqual(noMatch);
    expect(verify({ secret: secret.replace('whsec_', '') })).toEqual(noMatch);
    expect(verify({ header: `t=${t + 1},v1=${v1}` })).toEqual(noMatch);
    expect(verify({ header: `t=${t},v1=${other}` })).toEqual(noMatch);
  });

  test('takes a signature of exactly five minutes and refuses an older one', () => {
    covers('6.3/five-minutes', '8/signature-age');
    expect(verify({ nowSeconds: t + 300 })).toEqual({ valid: true });
    expect(verify({ nowSeconds: t + 301 })).toEqual({ valid: false, reason: 'too_old' });
  });

  test.each([undefined, ''])('says that the header is missing: %j', (header) => {
    expect(verify({ header })).toEqual({ valid: false, reason: 'missing' });
  });

  test.each([
    'nonsense',
    `v1=${v1}`,
    `t=${t}`,
    `t=,v1=${v1}`,
    `t=-1,v1=${v1}`,
    `t=1e9,v1=${v1}`,
    `t=${t},t=${t},v1=${v1}`,
    `t=${t},v1=`,
    `t=${t},v1=${v1.slice(1)}`,
    `t=${t},v1=${v1}00`,
    `t=${t},v1=${v1.toUpperCase()}`,
    `t=${t},v0=${v1}`,
  ])('says that the header is malformed: %s', (header) => {
    expect(verify({ header })).toEqual({ valid: false, reason: 'malformed' });
  });
});
