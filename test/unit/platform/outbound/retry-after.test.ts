import { expect, test } from 'vitest';
import { retryAfterMs } from '#platform/outbound/answer.ts';

const now = Date.parse('2026-11-06T08:49:37Z');

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 120 ', 120_000],
  ['Fri, 06 Nov 2026 08:50:37 GMT', 60_000],
  ['Fri, 06 Nov 2026 08:48:37 GMT', 0],
])('Retry-After %j is %d ms', (header, ms) => {
  expect(retryAfterMs([header], now)).toBe(ms);
  expect(retryAfterMs([header, header], now)).toBe(ms);
});

test.each([
  [],
  '',
  '-5',
  '1.5',
  '1e3',
  '0x10',
  'soon',
  'GMT',
  '2026-11-06T08:50:37Z',
  '9999999999',
  ['1', '2'],
])('Retry-After %j counts as absent', (header) => {
  expect(retryAfterMs([header].flat(), now)).toBeNull();
});
