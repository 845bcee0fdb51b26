import { describe, expect, test } from 'vitest';
import { nextLimit, startAdmission } from '#platform/limits/admission.ts';

/** Works on what was admitted one after the other, as a system that carries so many a second. Its clock is its own. */
function system({ perSecond }: { perSecond: number }) {
  let nowMs = 0;
  let freeAtMs = 0;
  const admission = startAdmission(() => nowMs);
  const ends: { atMs: number; end(): void }[] = [];
  const durationsMs: number[] = [];

  const advance = (toMs: number) => {
    while (ends[0] !== undefined && ends[0].atMs <= toMs) {
      nowMs = ends[0].atMs;
      ends.shift()?.end();
    }
    nowMs = toMs;
  };

  /** Returns true if the request was admitted. */
  const offer = (orgId: string): boolean => {
    const place = admission.enter(orgId);
    if (place === undefined) return false;
    place.count();
    const enteredAtMs = nowMs;
    freeAtMs = Math.max(freeAtMs, nowMs) + 1_000 / perSecond;
    ends.push({
      atMs: freeAtMs,
      end() {
        durationsMs.push(nowMs - enteredAtMs);
        place.leave();
      },
    });
    return true;
  };

  /** Offers so many a second for each organisation. Returns how many of each were admitted in a second. */
  const offerFor = (seconds: number, offered: Record<string, number>): Record<string, number> => {
    const admitted: Record<string, number> = {};
    const stepMs = 10;
    const steps = (seconds * 1_000) / stepMs;
    for (let step = 0; step < steps; step++) {
      for (const [org, rate] of Object.entries(offered)) {
        const due = Math.floor(((step + 1) * rate) / 100) - Math.floor((step * rate) / 100);
        const taken = Array.from({ length: due }, () => offer(org)).filter(Boolean).length;
        admitted[org] = (admitted[org] ?? 0) + taken / seconds;
      }
      advance(nowMs + stepMs);
    }
    return admitted;
  };

  return { admission, offer, offerFor, durationsMs, advance: (ms: number) => advance(nowMs + ms) };
}

test('an idle system admits a burst of 100 at once', () => {
  const { offer } = system({ perSecond: 20 });
  expect(Array.from({ length: 100 }, () => offer('a')).every(Boolean)).toBe(true);
});

describe.each([20, 300])('a system that carries %i a second', (perSecond) => {
  test.each([1.5, 3, 10])(
    'works at its capacity if it is offered %d times as much, and nobody waits long',
    (times) => {
      const { offerFor, durationsMs } = system({ perSecond });
      offerFor(60, { a: times * perSecond });
      const before = durationsMs.length;
      const { a = 0 } = offerFor(60, { a: times * perSecond });
      expect(a).toBeGreaterThan(0.95 * perSecond);
      expect(a).toBeLessThan(1.05 * perSecond);
      expect(Math.max(...durationsMs.slice(before))).toBeLessThan(2_000);
    },
  );

  test('refuses nobody below its capacity, also soon after it was offered too much', () => {
    const { offerFor } = system({ perSecond });
    offerFor(60, { a: 5 * perSecond });
    offerFor(10, { a: 0.8 * perSecond });
    const { a = 0 } = offerFor(30, { a: 0.8 * perSecond });
    expect(a).toBeCloseTo(0.8 * perSecond, 0);
  });

  test('admits all of an organisation that wants little, while another floods it', () => {
    const { offerFor } = system({ perSecond });
    const offered = { flood: 5 * perSecond, little: 0.2 * perSecond };
    offerFor(30, offered);
    const { little = 0 } = offerFor(60, offered);
    expect(little).toBeCloseTo(0.2 * perSecond, 0);
  });
});

test('a system that answers nothing admits less, but never nothing for ever', () => {
  const { admission, offer, offerFor, advance } = system({ perSecond: 0.5 });
  offerFor(2_000, { a: 10 });
  expect(admission.limit()).toBeLessThanOrEqual(10);
  advance(1_000_000);
  expect(admission.working()).toBe(0);
  expect(offer('a')).toBe(true);
});

test('many organisations together are not admitted without end', () => {
  const { admission, offer } = system({ perSecond: 1 });
  const admitted = Array.from({ length: 2_000 }, (_, index) => offer(`org ${index}`)).filter(Boolean).length;
  expect(admitted).toBeLessThanOrEqual(2 * admission.limit());
});

test('a repetition that only reads its answer does not change the limit', () => {
  let nowMs = 0;
  const admission = startAdmission(() => nowMs);
  for (let index = 0; index < 100; index++) {
    const place = admission.enter('a');
    nowMs += 5_000;
    place?.leave();
  }
  expect(admission.limit()).toBe(128);
});

test.each([
  [100, { durationMs: 1_001, wasFull: true }, 99],
  [100, { durationMs: 60_000, wasFull: true }, 50],
  [8, { durationMs: 60_000, wasFull: true }, 8],
  [100, { durationMs: 10, wasFull: false }, 110],
  [128, { durationMs: 10, wasFull: false }, 128],
  [200, { durationMs: 10, wasFull: true }, 220],
  [200, { durationMs: 10, wasFull: false }, 200],
  [2_048, { durationMs: 10, wasFull: true }, 2_048],
])('after a limit of %i and %o comes %i', (limit, measured, next) => {
  expect(Math.floor(nextLimit(limit, measured))).toBe(next);
});
