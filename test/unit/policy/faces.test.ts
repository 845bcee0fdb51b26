import { expect, test } from 'vitest';
import { faceBands, faceThreshold, judgeCompared, judgeFaces } from '#policy/faces.ts';
import { fc } from '#test/support/seed.ts';

test.each([
  [0, 'passed', 1],
  [0.45, 'passed', 0.63],
  [0.451, 'doubt', 0.62],
  [0.6, 'doubt', 0.5],
  [0.65, 'doubt', 0.46],
  [0.651, 'failed', 0.54],
  [0.9, 'failed', 0.75],
  [1.5, 'failed', 1],
] as const)('a distance of %d is %s with the confidence %d', (distance, result, confidence) => {
  expect(judgeFaces(distance)).toEqual({ kind: 'face_match', result, confidence });
});

test.each([
  [0, null],
  [0.75, null],
  [0.751, 'selfie_may_be_recaptured'],
] as const)(
  'a probability of %d that the photo is of a picture is the hint %s, and changes no result',
  (recaptured, finding) => {
    for (const distance of [0.3, 0.6, 0.9])
      expect(judgeCompared({ distance, recaptured })).toEqual({ ...judgeFaces(distance), finding });
  },
);

test('the history names the version and the numbers of the bands', () => {
  expect(faceThreshold).toBe(
    'faces 1: passed to 0.45, doubt to 0.65; hint 1: a screen or a print above 0.75',
  );
  expect(faceBands.passedMax).toBeLessThan(faceBands.doubtMax);
});

test('a larger distance is never a better result, and a confidence is always from 0 to 1', () => {
  const order = ['passed', 'doubt', 'failed'];
  const distance = fc.double({ min: 0, max: 10, noNaN: true });
  fc.assert(
    fc.property(distance, distance, (a, b) => {
      const [near, far] = [judgeFaces(Math.min(a, b)), judgeFaces(Math.max(a, b))];
      expect(order.indexOf(far.result)).toBeGreaterThanOrEqual(order.indexOf(near.result));
      for (const { confidence } of [near, far]) expect(confidence >= 0 && confidence <= 1).toBe(true);
    }),
  );
});
