import { expect, test } from 'vitest';
import { randomLetters, randomToken } from '#platform/crypto/random.ts';

test.each([
  ['base64url', /^[A-Za-z0-9_-]{43}$/],
  ['base64', /^[A-Za-z0-9+/]{43}=$/],
  ['hex', /^[0-9a-f]{64}$/],
] as const)('a token in %s has all of its bytes, and is never made twice', (encoding, format) => {
  const made = Array.from({ length: 1_000 }, () => randomToken(32, encoding));
  for (const each of made) expect(each).toMatch(format);
  expect(new Set(made).size).toBe(1_000);
});

test('a token is in base64url unless another encoding is asked for', () => {
  expect(randomToken(16)).toMatch(/^[A-Za-z0-9_-]{22}$/);
});

test('random letters are of the alphabet, and each of it occurs', () => {
  const text = randomLetters('abcdef', 10_000);
  expect(text).toHaveLength(10_000);
  expect([...new Set(text)].sort().join('')).toBe('abcdef');
});
