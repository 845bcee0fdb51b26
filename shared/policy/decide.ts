import type { CheckKind, Method } from '#contract/enums.ts';
import type { Check, Decision } from '#contract/workflows.ts';
import type { ReasonId } from './reasons.ts';
import { documentChecks } from './sandbox.ts';

const faceChecks: readonly CheckKind[] = ['face_match', 'liveness'];

const notMade = (kind: CheckKind): Check => ({ kind, result: 'not_applicable', confidence: 0 });

/** What stands in for checks that could not be made: a person has to look. */
export const checksInDoubt: Check[] = documentChecks.map((kind) => ({
  kind,
  result: 'doubt',
  confidence: 0,
}));

/**
 * The verdict of a live flow by document. A machine alone approves nobody: whether the document is genuine, and whether the
 * person is the one on it, is for a person to assess (specification 1). It rejects only what is certain. Assurance stays `low`
 * until a person has reviewed it (decision 9).
 */
export function decide(method: Method, documentResults: readonly Check[]): Decision {
  const withFace = method === 'document_liveness';
  const checks = withFace ? [...documentResults, ...faceChecks.map(notMade)] : [...documentResults];
  const rejected = checks.some(({ result }) => result === 'failed');
  return {
    outcome: rejected ? 'rejected' : 'review',
    assuranceLevel: 'low',
    reasonIds: rejected ? reasonsToReject(checks) : reasonsToReview(checks, withFace),
    checks,
    reviewed: false,
  };
}

const has = (checks: readonly Check[], result: Check['result'], ...kinds: CheckKind[]) =>
  checks.some((check) => check.result === result && kinds.includes(check.kind));

const reasonsToReject = (checks: readonly Check[]): ReasonId[] => [
  ...(has(checks, 'failed', 'document_expiry') ? (['document_expired'] as const) : []),
  ...(has(checks, 'failed', 'document_integrity', 'mrz_check_digits', 'data_consistency')
    ? (['document_check_failed'] as const)
    : []),
];

const reasonsToReview = (checks: readonly Check[], withFace: boolean): ReasonId[] => [
  ...(has(checks, 'doubt', 'document_expiry', 'mrz_check_digits', 'data_consistency')
    ? (['document_data_in_doubt'] as const)
    : []),
  'person_assesses',
  ...(withFace ? (['person_assesses_likeness'] as const) : []),
];
