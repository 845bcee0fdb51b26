import { expect, test } from 'vitest';
import { checkResults, methods } from '#contract/enums.ts';
import type { Check } from '#contract/workflows.ts';
import { decide } from '#policy/decide.ts';
import { documentChecks } from '#policy/methods/document.ts';
import { reasons } from '#policy/reasons.ts';
import { covers } from '#test/requirements.ts';
import { fc } from '#test/support/seed.ts';

const checks = (differing: Partial<Record<Check['kind'], Check['result']>> = {}): Check[] =>
  documentChecks.map((kind) => ({ kind, result: differing[kind] ?? 'passed', confidence: 0.9 }));

test('no result of the machine alone approves anybody, or gives more than low assurance', () => {
  covers('1/face-comparison-indicative', '1/no-biometric-proof');
  const result = fc.constantFrom(...checkResults);
  fc.assert(
    fc.property(fc.constantFrom(...methods), fc.tuple(result, result, result, result), (method, results) => {
      const found = documentChecks.map((kind, i) => ({
        kind,
        result: results[i] ?? 'doubt',
        confidence: 0.5,
      }));
      const decision = decide(method, found);
      expect(decision).toMatchObject({ assuranceLevel: 'low', reviewed: false });
      expect(decision.outcome).toBe(results.includes('failed') ? 'rejected' : 'review');
      expect(decision.reasonIds.length).toBeGreaterThan(0);
      for (const id of decision.reasonIds) expect(Object.keys(reasons)).toContain(id);
    }),
  );
});

test('an expired document is rejected for that, a wrong check digit for the document', () => {
  expect(decide('document_only', checks({ document_expiry: 'failed' })).reasonIds).toEqual([
    'document_expired',
  ]);
  expect(decide('document_only', checks({ mrz_check_digits: 'failed' })).reasonIds).toEqual([
    'document_check_failed',
  ]);
});

test('data in doubt are named beside what a person assesses anyway', () => {
  expect(decide('document_only', checks()).reasonIds).toEqual(['person_assesses']);
  expect(decide('document_only', []).reasonIds).toEqual(['document_data_in_doubt', 'person_assesses']);
  expect(decide('document_liveness', checks()).reasonIds).toEqual([
    'person_assesses',
    'person_assesses_likeness',
  ]);
});

test('the face is neither compared nor examined for life, and the checks say so', () => {
  const { checks: all } = decide('document_liveness', checks());
  expect(all.slice(4)).toEqual([
    { kind: 'face_match', result: 'not_applicable', confidence: 0 },
    { kind: 'liveness', result: 'not_applicable', confidence: 0 },
  ]);
  expect(decide('document_only', checks()).checks).toHaveLength(4);
});
