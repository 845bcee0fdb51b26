import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { environments } from '#contract/enums.ts';
import { displayOfKey, environmentOfKey, hashApiKey, newApiKey } from '#platform/crypto/api-key.ts';
import { covers } from '#test/requirements.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const numberIn = (text: string) => [...text].reduce((value, digit) => value * 62 + digits.indexOf(digit), 0);

describe('an API key', () => {
  covers('5/key-prefixes');

  test('is prefix, 33 random characters and six of a checksum', () => {
    expect(newApiKey('sandbox')).toMatch(/^svc_test_[0-9A-Za-z]{39}$/);
    expect(newApiKey('live')).toMatch(/^svc_live_[0-9A-Za-z]{39}$/);
  });

  test.each(environments)('of %s ends in the CRC-32 of what is before it, in base 62', (environment) => {
    for (let i = 0; i < 100; i++) {
      const key = newApiKey(environment);
      expect(numberIn(key.slice(-6))).toBe(crc32(key.slice(0, -6)));
    }
  });

  test('is never made twice', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => newApiKey('live'))).size).toBe(1_000);
  });

  test('tells its environment by its prefix and by nothing else', () => {
    expect(environmentOfKey(newApiKey('sandbox'))).toBe('sandbox');
    expect(environmentOfKey(newApiKey('live'))).toBe('live');
    for (const text of ['', 'svc_test', 'SVC_TEST_x', 'sk_test_x', ' svc_test_x', 'svc_prod_x'])
      expect(environmentOfKey(text)).toBeUndefined();
  });

  test('with a wrong letter, or cut short, is no key', () => {
    const key = newApiKey('sandbox');
    const mistyped = key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21);
    for (const text of [mistyped, key.slice(0, -1), `${key}0`])
      expect(environmentOfKey(text)).toBeUndefined();
  });

  test('is kept as its SHA-256', () => {
    expect(hashApiKey('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  test('shows three of its random characters in a list', () => {
    const key = newApiKey('sandbox');
    expect(displayOfKey(key)).toBe(`${key.slice(0, 12)}…${key.slice(-4)}`);
    expect(displayOfKey(key)).toHaveLength(17);
  });
});
