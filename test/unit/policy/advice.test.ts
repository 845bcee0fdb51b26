import { expect, test } from 'vitest';
import { advices, lookResults, methods } from '#contract/enums.ts';
import { adviceOn, adviceShown, awaitsLook, isExaminedAhead } from '#policy/advice.ts';

test('advice is shown three times for a picture, and is known for ever', () => {
  for (const look of advices) {
    expect([0, 1, 2, 3, 4].map((advised) => adviceShown({ look, advised }))).toEqual([
      ...[look, look, look, look],
      undefined,
    ]);
    expect(adviceOn(look)).toBe(look);
  }
});

test('a picture that is fine, that could not be looked at, or that waits has no advice', () => {
  expect([null, 'fine' as const, 'unknown' as const].map((look) => adviceOn(look))).toEqual(
    Array(3).fill(undefined),
  );
});

test('a document is examined before Send only if it is complete and every picture is accepted', () => {
  const fine = { look: 'fine', advised: 0 } as const;
  const ahead = (...document: Parameters<typeof isExaminedAhead>[2]) =>
    isExaminedAhead('document_only', true, document);
  expect(ahead(fine, fine)).toBe(true);
  expect(isExaminedAhead('document_only', false, [fine])).toBe(false);
  expect(ahead(fine, { look: null, advised: 0 })).toBe(false);
  const accepted = lookResults.filter((look) => ahead(fine, { look, advised: 1 }));
  expect(accepted).toEqual(['fine']);
  const takenAsItIs = lookResults.filter((look) => ahead(fine, { look, advised: 4 }));
  expect(takenAsItIs).toEqual(['fine', ...advices]);
});

test('only documents are examined before Send', () => {
  const fine = { look: 'fine', advised: 0 } as const;
  expect(methods.filter((method) => isExaminedAhead(method, true, [fine]))).toEqual([
    'document_liveness',
    'document_only',
  ]);
});

test('a look may still come for a picture of live that nobody has looked at, and for nothing else', () => {
  const passport = { kind: 'passport_page', look: null, advised: 1 } as const;
  const seen = { kind: 'selfie', look: 'no_face', advised: 1 } as const;
  const bank = { kind: 'bank', look: null, advised: 0 } as const;
  expect(awaitsLook('live', [seen, passport])).toBe(true);
  expect(awaitsLook('sandbox', [passport])).toBe(false);
  expect(awaitsLook('live', [seen, bank])).toBe(false);
  expect(awaitsLook('live', [])).toBe(false);
});
