import { expect, test } from 'vitest';
import { criticalValue, differenceOf, verdictOf } from '#test/bench/parts/paired.ts';

test.each([
  [5, 2.571],
  [9, 2.262],
  [19, 2.093],
  [60, 2.0],
])('with %i degrees of freedom the critical value is that of the table', (degrees, value) => {
  expect(criticalValue(degrees)).toBeCloseTo(value, 2);
});

test('the interval is that of the paired differences, not of the two samples', () => {
  // In a textbook case, the differences 1 to 6 have mean 3.5 and standard error 0.7638. With 5 degrees of freedom, t is 2.571.
  const { a, b, mean, from, to } = differenceOf([10, 20, 30, 40, 50, 60], [11, 22, 33, 44, 55, 66]);
  expect([a, b, mean]).toEqual([35, 38.5, 3.5]);
  expect(from).toBeCloseTo(3.5 - 1.964, 2);
  expect(to).toBeCloseTo(3.5 + 1.964, 2);
});

test('only an interval without zero tells the two apart', () => {
  expect(verdictOf(differenceOf([1, 2, 3], [2, 3.1, 4]))).toBe('B takes more');
  expect(verdictOf(differenceOf([2, 3.1, 4], [1, 2, 3]))).toBe('B takes less');
  expect(verdictOf(differenceOf([1, 2, 3], [2, 1, 3]))).toBe('no difference shown');
});
