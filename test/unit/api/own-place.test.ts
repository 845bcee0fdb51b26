import { expect, test } from 'vitest';
import { ownPlace } from '#api/console/values/own-place.ts';

test.each([
  ['/review/1', '/review/1'],
  ['/verifications?environment=live&q=a%20b', '/verifications?environment=live&q=a%20b'],
  ['/keys#x', '/keys'],
  ['/a/../keys', '/keys'],
])('%s is a place of the console', (given, place) => {
  expect(ownPlace(given)).toBe(place);
});

test.each([
  null,
  '',
  '/',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'https://evil.example/keys',
  'https:evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'http://[',
  `/${'x'.repeat(1_000)}`,
])('%j is none, so a sign-in leads to the home page', (given) => {
  expect(ownPlace(given)).toBeUndefined();
});
