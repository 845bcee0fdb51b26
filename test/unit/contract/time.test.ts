import { expect, test } from 'vitest';
import { calendarDay } from '#contract/time.ts';

test.each([
  ['2026-11-23T22:59:59Z', '2026-11-23'],
  ['2026-11-23T23:00:00Z', '2026-11-24'],
  ['2026-07-01T21:59:59Z', '2026-07-01'],
  ['2026-07-01T22:00:00Z', '2026-07-02'],
])('at %s it is %s in the Netherlands', (at, day) => {
  expect(calendarDay(new Date(at))).toBe(day);
});
