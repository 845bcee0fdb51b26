import { describe, expect, test } from 'vitest';
import { checkResults, type DecisionRule, decisionRules, methods } from '#contract/enums.ts';
import { type Finding, faceFindings } from '#contract/examinations.ts';
import { livenessFindings } from '#contract/movements.ts';
import type { Check } from '#contract/workflows.ts';
import { documentChecks } from '#policy/methods/document.ts';
import { type ReasonId, reasons } from '#policy/reasons.ts';
import { decide } from '#policy/verdicts/decide.ts';
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

test('no result of a machine approves anybody, unless machine_may_decide and document_only, or a bank confirms all', () => {
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
        expect(reviewed).toBe(false);
        expect(assuranceLevel).toBe(method === 'idin' && outcome === 'approved' ? 'substantial' : 'low');
        if (outcome !== 'approved') return;
        if (method === 'idin') {
          expect(found.find(({ kind }) => kind === 'eid_authentication')?.result).toBe('passed');
          return;
        }
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

test('no machine approves a picture that may show a copy, and the reasons say so', () => {
  const found = checks({ document_integrity: 'doubt' });
  for (const rule of decisionRules)
    expect(decide('document_only', found, rule)).toMatchObject({
      outcome: 'review',
      reasonIds: ['document_may_be_copy', 'person_assesses'],
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
    'person_assesses_presence',
  ]);
});

describe('document_liveness', () => {
  const face = (result: Check['result'], finding: Finding | null = null) =>
    decide(
      'document_liveness',
      [...checks(), { kind: 'face_match', result, confidence: 0.7, finding }],
      'machine_may_decide',
    );

  test.each([
    ['passed', null, 'faces_alike'],
    ['doubt', null, 'face_comparison_in_doubt'],
    ['failed', null, 'faces_differ'],
    ['doubt', 'faces_not_compared', 'person_assesses_likeness'],
    ...faceFindings.slice(0, -1).map((finding) => ['doubt', finding, finding] as const),
  ] as const)(
    'with faces that %s (%s), a person decides, whatever the machine may',
    (result, finding, reason) => {
      covers('1/face-comparison-indicative', '1/no-biometric-proof');
      const { outcome, reasonIds, assuranceLevel } = face(result, finding);
      expect([outcome, assuranceLevel]).toEqual(['review', 'low']);
      expect(reasonIds).toEqual(['person_assesses', reason, 'person_assesses_presence']);
    },
  );

  test.each([
    ['passed', 'faces_alike'],
    ['doubt', 'face_comparison_in_doubt'],
    ['failed', 'faces_differ'],
  ] as const)(
    'a hint that the photo shows a screen or a print stands beside faces that %s',
    (result, reason) => {
      const found = face(result, 'selfie_may_be_recaptured');
      expect(found.reasonIds.slice(1, 3)).toEqual([reason, 'selfie_may_be_recaptured']);
      expect({ ...found, reasonIds: [] }).toEqual({ ...face(result), reasonIds: [] });
    },
  );

  test.each([
    ['passed', null, 'movements_as_asked'],
    ['doubt', 'movements_declined', 'movements_not_made'],
    ['doubt', 'movements_not_examined', 'person_assesses_presence'],
    ['doubt', 'movements_face_lost', 'movements_unclear'],
    ['failed', 'movements_others', 'movements_not_as_asked'],
    ['failed', 'movements_jump', 'movements_not_one_recording'],
    ['failed', 'movements_other_face', 'movements_of_other_face'],
  ] as const)('with movements that %s (%s), a person decides too', (result, finding, reason) => {
    const liveness = { kind: 'liveness', result, confidence: 0.7, finding } as const;
    const found = decide('document_liveness', [...checks(), liveness], 'machine_may_decide');
    expect([found.outcome, found.assuranceLevel]).toEqual(['review', 'low']);
    expect(found.reasonIds).toEqual(['person_assesses', 'person_assesses_likeness', reason]);
    expect(found.checks.at(-1)).toEqual({ kind: 'liveness', result, confidence: 0.7 });
  });

  test('every reason about movements says that a person makes the final assessment', () => {
    for (const finding of [null, ...livenessFindings]) {
      const liveness = { kind: 'liveness', result: 'failed', confidence: 1, finding } as const;
      const id = decide('document_liveness', [...checks(), liveness], 'people').reasonIds.at(-1) as ReasonId;
      expect(reasons[id].en).toContain('a person makes the final assessment');
      expect(reasons[id].nl).toContain('een medewerker beoordeelt dit');
    }
  });

  test('every reason about faces says that a person makes the final assessment', () => {
    covers('1/face-comparison-indicative');
    const about = face('passed').reasonIds.concat(face('failed').reasonIds, face('doubt').reasonIds, [
      ...[...faceFindings, 'selfie_may_be_recaptured' as const].flatMap(
        (finding) => face('doubt', finding).reasonIds,
      ),
    ]);
    for (const id of about) {
      expect(reasons[id as ReasonId].en).toContain('a person makes the final assessment');
      expect(reasons[id as ReasonId].nl).toContain('een medewerker beoordeelt dit');
    }
  });

  test('the verdict has the check of the face as it was found, and none of why', () => {
    expect(face('doubt', 'face_too_small').checks[4]).toEqual({
      ...{ kind: 'face_match', result: 'doubt', confidence: 0.7 },
    });
  });

  test('a comparison that was not made is in doubt, and nobody examined whether the person was present', () => {
    const { checks: all } = decide('document_liveness', checks(), 'people');
    expect(all.slice(4)).toEqual([
      { kind: 'face_match', result: 'doubt', confidence: 0 },
      { kind: 'liveness', result: 'doubt', confidence: 0 },
    ]);
    expect(decide('document_only', checks(), 'people').checks).toHaveLength(4);
  });
});

describe.each(decisionRules)('of a bank, where %s', (rule) => {
  const bank = (result: Check['result'], finding: 'bank_simulated' | null = null) =>
    decide('idin', [{ kind: 'eid_authentication', result, confidence: 1, finding }], rule);

  test('a confirmation of everything approves with substantial assurance; a part of it is for a person', () => {
    expect(bank('passed')).toMatchObject({
      ...{ outcome: 'approved', assuranceLevel: 'substantial', reasonIds: ['all_checks_passed'] },
      checks: [{ kind: 'eid_authentication', result: 'passed', confidence: 1 }],
    });
    expect(bank('doubt')).toMatchObject({
      ...{ outcome: 'review', assuranceLevel: 'low', reasonIds: ['identity_attributes_in_doubt'] },
    });
    expect(decide('idin', [], rule)).toMatchObject({ outcome: 'review', assuranceLevel: 'low' });
  });

  test('what a simulator confirmed says so', () => {
    for (const result of ['passed', 'doubt'] as const)
      expect(bank(result, 'bank_simulated').reasonIds).toContain('bank_simulated');
  });
});
