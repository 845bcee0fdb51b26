import { describe, expect, test } from 'vitest';
import { methods, scenarios } from '#contract/enums.ts';
import { reasons, reasonText } from '#policy/reasons.ts';
import { sandboxDecision } from '#policy/verdicts/sandbox.ts';
import { covers } from '#test/requirements.ts';

/** Copied from decisions 9 and 12: assurance, reason, and each check with its result and confidence. */
const table = {
  'document_liveness, approved': [
    'substantial',
    'All checks passed.',
    'document_integrity passed 0.99',
    'document_expiry passed 0.99',
    'mrz_check_digits passed 0.99',
    'data_consistency passed 0.99',
    'face_match passed 0.99',
    'liveness passed 0.99',
  ],
  'document_liveness, review': [
    'low',
    'The face comparison is in doubt; a person makes the final assessment.',
    'document_integrity passed 0.99',
    'document_expiry passed 0.99',
    'mrz_check_digits passed 0.99',
    'data_consistency passed 0.99',
    'face_match doubt 0.55',
    'liveness passed 0.99',
  ],
  'document_liveness, rejected': [
    'low',
    'The document check failed.',
    'document_integrity failed 0.97',
    'document_expiry passed 0.99',
    'mrz_check_digits passed 0.99',
    'data_consistency passed 0.99',
    'face_match passed 0.99',
    'liveness passed 0.99',
  ],
  'document_only, approved': [
    'low',
    'All checks passed.',
    'document_integrity passed 0.99',
    'document_expiry passed 0.99',
    'mrz_check_digits passed 0.99',
    'data_consistency passed 0.99',
  ],
  'document_only, review': [
    'low',
    "The document's data are in doubt; a person makes the final assessment.",
    'document_integrity passed 0.99',
    'document_expiry passed 0.99',
    'mrz_check_digits passed 0.99',
    'data_consistency doubt 0.55',
  ],
  'document_only, rejected': [
    'low',
    'The document check failed.',
    'document_integrity failed 0.97',
    'document_expiry passed 0.99',
    'mrz_check_digits passed 0.99',
    'data_consistency passed 0.99',
  ],
  'idin, approved': ['substantial', 'All checks passed.', 'eid_authentication passed 1'],
  'idin, review': [
    'low',
    'The identity attributes are in doubt; a person makes the final assessment.',
    'eid_authentication doubt 0.5',
  ],
  'idin, rejected': ['low', 'The identification at the bank failed.', 'eid_authentication failed 1'],
} as const;

const cases = methods.flatMap((method) => scenarios.map((scenario) => ({ method, scenario })));

describe('a sandbox verdict', () => {
  covers('1/sandbox-predictable', '3/scenario-approved', '3/scenario-review', '3/scenario-rejected');

  test.each(cases)('by $method for $scenario is as the table says', ({ method, scenario }) => {
    const { outcome, assuranceLevel, reasonIds, checks, reviewed } = sandboxDecision(method, scenario);
    expect(outcome).toBe(scenario);
    expect(reviewed).toBe(false);
    expect([
      assuranceLevel,
      ...reasonIds.map((id) => reasonText(id as keyof typeof reasons)),
      ...checks.map(({ kind, result, confidence }) => `${kind} ${result} ${confidence}`),
    ]).toEqual(table[`${method}, ${scenario}`]);
  });

  test('is the same each time, and not the same object', () => {
    expect(sandboxDecision('idin', 'review')).toEqual(sandboxDecision('idin', 'review'));
    expect(sandboxDecision('idin', 'review')).not.toBe(sandboxDecision('idin', 'review'));
  });
});

test('every reason has a text in both languages, and no room for a value', () => {
  for (const reason of Object.values(reasons))
    for (const text of [reason.en, reason.nl]) expect(text).toMatch(/^[A-Z][a-zA-Z;', -]+\.$/);
});
