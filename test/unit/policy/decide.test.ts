import { describe, expect, test } from 'vitest';
import { checkResults, type DecisionRule, decisionRules, methods } from '#contract/enums.ts';
import type { Check } from '#contract/workflows.ts';
import { decide } from '#policy/decide.ts';
import { documentChecks } from '#policy/methods/document.ts';
import { reasons } from '#policy/reasons.ts';
import { covers } from '#test/requirements.ts';
import { fc } from '#test/support/seed.ts';

type Results = Partial<Record<Check['kind'], Check['result']>>;

const checks = (differing: Results = {}): Check[] =>
  documentChecks.map((kind) => ({ kind, result: differing[kind] ?? 'passed', confidence: 0.9 }));

/** Every combination of results of the document checks. Undefined stands for a check that could not be made. */
const allResults: Results[] = documentChecks.reduce<Results[]>(
  (before, kind) =>
    before.flatMap((results) =>
      [...checkResults, undefined].map((result) =>
        result === undefined ? results : { ...results, [kind]: result },
      ),
    ),
  [{}],
);
const foundOf = (results: Results): Check[] =>
  documentChecks.flatMap((kind) => {
    const result = results[kind];
    return result === undefined ? [] : [{ kind, result, confidence: 0.9 }];
  });

/** Decision 44 in words of the test alone. */
const isCertain = ({ document_integrity: integrity, ...others }: Results): boolean =>
  (integrity === undefined || integrity === 'passed' || integrity === 'not_applicable') &&
  (['document_expiry', 'mrz_check_digits', 'data_consistency'] as const).every(
    (kind) => others[kind] === 'passed',
  );

function expected(method: string, results: Results, rule: DecisionRule): string {
  if (method === 'document_only' && rule === 'machine_may_decide' && isCertain(results)) return 'approved';
  return rule !== 'people' && Object.values(results).includes('failed') ? 'rejected' : 'review';
}

test.each(decisionRules)('%s decides every combination of document checks as it says', (rule) => {
  covers('1/face-comparison-indicative', '1/no-biometric-proof');
  expect(allResults).toHaveLength(5 ** documentChecks.length);
  for (const method of ['document_liveness', 'document_only'] as const)
    for (const results of allResults) {
      const decision = decide(method, foundOf(results), rule);
      expect([decision.outcome, results]).toEqual([expected(method, results, rule), results]);
      expect(decision).toMatchObject({ assuranceLevel: 'low', reviewed: false });
      expect(decision.reasonIds.length).toBeGreaterThan(0);
      for (const id of decision.reasonIds) expect(Object.keys(reasons)).toContain(id);
    }
});

test('no result of a machine approves anybody, unless machine_may_decide and document_only', () => {
  covers('1/face-comparison-indicative', '1/no-biometric-proof');
  const check = fc.record({
    kind: fc.constantFrom<Check['kind']>(...documentChecks, 'face_match', 'liveness', 'eid_authentication'),
    result: fc.constantFrom(...checkResults),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...methods),
      fc.constantFrom(...decisionRules),
      fc.array(check, { maxLength: 10 }),
      (method, rule, found) => {
        const { outcome, assuranceLevel, reviewed } = decide(method, found, rule);
        expect([assuranceLevel, reviewed]).toEqual(['low', false]);
        if (outcome !== 'approved') return;
        expect([method, rule]).toEqual(['document_only', 'machine_may_decide']);
        for (const { result } of found) expect(['passed', 'not_applicable']).toContain(result);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a machine approves a document whose data are beyond doubt, and does not call it genuine', () => {
  const found = checks({ document_integrity: 'not_applicable' });
  expect(decide('document_only', found, 'machine_may_decide')).toEqual({
    outcome: 'approved',
    assuranceLevel: 'low',
    reasonIds: ['document_data_passed'],
    checks: found,
    reviewed: false,
  });
});

test('one check in doubt beside those that passed is enough for a person to look', () => {
  const found = [...checks(), { kind: 'data_consistency', result: 'doubt', confidence: 0.5 } as const];
  expect(decide('document_only', found, 'machine_may_decide').outcome).toBe('review');
});

describe.each(decisionRules.filter((rule) => rule !== 'people'))('%s', (rule) => {
  test('rejects an expired document for that, and a wrong check digit for the document', () => {
    expect(decide('document_only', checks({ document_expiry: 'failed' }), rule).reasonIds).toEqual([
      'document_expired',
    ]);
    expect(decide('document_only', checks({ mrz_check_digits: 'failed' }), rule).reasonIds).toEqual([
      'document_check_failed',
    ]);
  });
});

test('if people decide, the reasons tell them which check failed', () => {
  expect(decide('document_only', checks({ document_expiry: 'failed' }), 'people')).toMatchObject({
    outcome: 'review',
    reasonIds: ['document_expired', 'person_assesses'],
  });
});

test('data in doubt are named beside what a person assesses anyway', () => {
  expect(decide('document_only', checks(), 'people').reasonIds).toEqual(['person_assesses']);
  expect(decide('document_only', [], 'people').reasonIds).toEqual([
    'document_data_in_doubt',
    'person_assesses',
  ]);
  expect(decide('document_liveness', checks(), 'machine_may_decide').reasonIds).toEqual([
    'person_assesses',
    'person_assesses_likeness',
  ]);
});

test('the face is neither compared nor examined for life, and the checks say so', () => {
  const { checks: all } = decide('document_liveness', checks(), 'people');
  expect(all.slice(4)).toEqual([
    { kind: 'face_match', result: 'not_applicable', confidence: 0 },
    { kind: 'liveness', result: 'not_applicable', confidence: 0 },
  ]);
  expect(decide('document_only', checks(), 'people').checks).toHaveLength(4);
});
