import { expect, test } from 'vitest';
import { waitOf } from '#policy/waiting.ts';

test('the more documents were sent before, the longer the wait that a person is told, in words that fit', () => {
  const told = [0, 4, 5, 9, 10, 19, 20, 39, 40, 200].map(waitOf);
  expect(told).toEqual([
    ...(['seconds', 'seconds', 'half_minute', 'half_minute', 'minute', 'minute'] as const),
    ...[{ minutes: 2 }, { minutes: 2 }, { minutes: 3 }, { minutes: 11 }],
  ]);
});
