import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signatureHeader } from '#platform/crypto/signature.ts';
import { covers } from '#test/requirements.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = Buffer.from('{"id":"evt_01","reference":"café"}');
const t = 1_767_225_600;
/**
 * Computed by this command:
 * printf '1767225600.{"id":"evt_01","reference":"café"}' | openssl dgst -sha256 -hmac 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
 */
const v1 = '6d86f400bb94033fbbb1face542163836bc71a63685163ff39666f7849fd384e';

test('a signature is what OpenSSL computed', () => {
  covers('6.2/signature-header', '6.3/hmac', '6.3/timestamp-and-raw-body');
  expect(signatureHeader(secret, t, body)).toBe(`t=${t},v1=${v1}`);
});

test('there is one v1 for each secret, in their order', () => {
  const [before] = /v1=[0-9a-f]{64}/.exec(signatureHeader('whsec_before', t, body)) ?? [];
  expect(signatureHeader([secret, 'whsec_before'], t, body)).toBe(`t=${t},v1=${v1},${before}`);
});

test('it covers the bytes and not the text: what is no UTF-8 is signed as it is', () => {
  const bytes = Buffer.from([0xff, 0x00, 0xfe]);
  const signed = Buffer.concat([Buffer.from(`${t}.`), bytes]);
  const expected = createHmac('sha256', secret).update(signed).digest('hex');
  expect(signatureHeader(secret, t, bytes)).toBe(`t=${t},v1=${expected}`);
});
