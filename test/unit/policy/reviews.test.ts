import { describe, expect, test } from 'vitest';
import { type Method, methods, type ReviewOutcome, type StoredKind } from '#contract/enums.ts';
import type { Decision } from '#contract/workflows.ts';
import {
  concludes,
  couldActForOther,
  fits,
  groundsOf,
  reviewedVerdict,
  reviewerReasons,
} from '#policy/reviews.ts';

const votes = (...outcomes: ReviewOutcome[]) =>
  outcomes.map((outcome, n) => ({ outcome, reasonIds: [`by ${n}`, 'by all'] }));
const machine: Decision = {
  ...{ outcome: 'review', assuranceLevel: 'low', reasonIds: ['person_assesses'], reviewed: false },
  checks: [{ kind: 'document_expiry', result: 'passed', confidence: 0.99 }],
};

test.each<[eyes: number, outcomes: ReviewOutcome[], ends: boolean]>([
  [1, ['approved'], true],
  [2, ['approved'], false],
  [2, ['approved', 'approved'], true],
  [2, ['rejected', 'rejected'], true],
  [2, ['approved', 'rejected'], false],
  [2, ['approved', 'rejected', 'rejected'], true],
])('with %i eyes, %j ends the review: %s', (eyes, outcomes, ends) => {
  expect(concludes(eyes, votes(...outcomes))).toBe(ends);
});

test('the verdict has the outcome of the last, and the reasons of all who decided so', () => {
  expect(reviewedVerdict('document_liveness', machine, votes('approved', 'rejected', 'approved'))).toEqual({
    ...{ outcome: 'approved', assuranceLevel: 'substantial', reviewed: true, checks: machine.checks },
    reasonIds: ['by 0', 'by all', 'by 2'],
  });
  expect(reviewedVerdict('document_liveness', machine, votes('rejected')).assuranceLevel).toBe('low');
});

test.each(['approved', 'rejected'] as const)(
  'a verdict of a simulator says so also when it is %s',
  (outcome) => {
    const reasonIds = ['identity_attributes_in_doubt', 'bank_simulated'];
    const reviewed = reviewedVerdict('idin', { ...machine, reasonIds }, votes(outcome));
    expect(reviewed.reasonIds).toEqual(['by 0', 'by all', 'bank_simulated']);
  },
);

const live = (method: Method, kinds: readonly StoredKind[], reasonIds: string[] = []) =>
  groundsOf(method, { environment: 'live', reasonIds, kinds });
const whole: Record<Method, StoredKind[]> = {
  document_liveness: ['masked_front', 'portrait', 'selfie'],
  document_only: ['masked_front', 'masked_back'],
  idin: ['bank'],
  income: ['papers'],
};

test.each(methods)('for %s there are reasons to approve and to reject by evidence', (method) => {
  for (const outcome of ['approved', 'rejected'] as const) {
    const offered = reviewerReasons(live(method, whole[method]), outcome);
    expect(offered.length).toBeGreaterThan(0);
    expect(fits(offered, outcome, offered)).toBe(true);
    expect(fits([], outcome, offered)).toBe(false);
  }
});

test('without pictures nobody can approve', () => {
  for (const method of methods) {
    const gone = live(method, []);
    expect(gone.basis).toBe('gone');
    expect(reviewerReasons(gone, 'approved')).toEqual([]);
    expect(reviewerReasons(gone, 'rejected')).toEqual(['reviewer_cannot_assess']);
    expect(fits([], 'approved', [])).toBe(false);
  }
});

const aboutDocument = [
  ...['reviewer_doubts_document', 'reviewer_finds_contradiction', 'reviewer_finds_expired'],
  'reviewer_cannot_read',
];
const withPortrait = ['reviewer_finds_other_face', 'reviewer_doubts_face', 'reviewer_cannot_assess'];

test.each<[method: Method, kinds: StoredKind[], rejections: string[]]>([
  ['document_liveness', ['selfie'], ['reviewer_doubts_face', 'reviewer_cannot_assess']],
  ['document_liveness', ['selfie', 'portrait'], withPortrait],
  ['document_liveness', ['masked_front'], [...aboutDocument, 'reviewer_cannot_assess']],
  ['document_only', ['masked_back'], ['reviewer_cannot_assess']],
  ['idin', ['selfie'], ['reviewer_cannot_assess']],
])('%s with only %j is approved by nobody, and rejected for what is there', (method, kinds, rejections) => {
  const grounds = live(method, kinds);
  expect(grounds.basis).toBe('evidence');
  expect(reviewerReasons(grounds, 'approved')).toEqual([]);
  expect(reviewerReasons(grounds, 'rejected')).toEqual(rejections);
});

describe('two members could act for one another', () => {
  const given = [
    { to: 'b', by: 'a' },
    { to: 'c', by: 'b' },
    { to: 'd', by: 'a' },
    { to: 'd', by: 'e' },
    { to: 'round', by: 'about' },
    { to: 'about', by: 'round' },
  ];
  test.each([
    ['one gave access to the other', 'a', 'b', true],
    ['one gave it to who gave it to the other', 'a', 'c', true],
    ['a second one gave it too', 'e', 'd', true],
    ['they gave it to each other', 'round', 'about', true],
    ['a third gave it to both', 'b', 'd', false],
    ['both gave it to a third', 'a', 'e', false],
    ['the operator gave it to one of them', 'd', 'x', false],
  ])('%s', (_, one, other, expected) => {
    expect(couldActForOther(given, one, other)).toBe(expected);
    expect(couldActForOther(given, other, one)).toBe(expected);
  });
});
