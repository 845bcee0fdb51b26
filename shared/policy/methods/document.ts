import type { CheckKind, CheckResult, DecisionRule, EvidenceKind } from '#contract/enums.ts';
import type { Check } from '#contract/workflows.ts';
import type { ReasonId } from '../reasons.ts';
import type { Step } from '../steps.ts';
import { type FoundCheck, type MethodDecision, plain, type SandboxVerdicts } from './method.ts';

/** The methods `document_liveness` and `document_only` share the code in this file. */

export const documentChecks: readonly CheckKind[] = [
  'document_integrity',
  'document_expiry',
  'mrz_check_digits',
  'data_consistency',
];

/** A passport needs one picture, and a card needs two. Undefined if all pictures of the document were received. */
export function nextDocumentStep(received: readonly EvidenceKind[]): Step | undefined {
  const has = (kind: EvidenceKind) => received.includes(kind);
  if (!has('passport_page') && !has('card_front')) return 'document';
  if (has('card_front') && !has('card_back')) return 'card_back';
  return undefined;
}

export const sandboxRejected: SandboxVerdicts['rejected'] = {
  check: { kind: 'document_integrity', result: 'failed', confidence: 0.97 },
  reason: 'document_check_failed',
};

/**
 * The decision on the document is never an approval. A person assesses whether the document is genuine and whether it belongs to
 * the end user (specification 1). A machine may reject the document only if a check failed, because a failed check is certain. If
 * people decide, the reasons still name the failed check (decision 44).
 */
export function decideByDocument(found: readonly FoundCheck[], rule: DecisionRule): MethodDecision {
  const checks = documentChecks.map((kind) =>
    plain(found.find((check) => check.kind === kind) ?? inDoubt(kind)),
  );
  const failures = reasonsToReject(checks);
  if (rule !== 'people' && failures.length > 0) return { outcome: 'rejected', reasonIds: failures, checks };
  return { outcome: 'review', reasonIds: [...failures, ...reasonsToReview(checks, found)], checks };
}

/** A check that could not be made gets the result `doubt`, so that a person looks at the document. */
const inDoubt = (kind: CheckKind): Check => ({ kind, result: 'doubt', confidence: 0 });

const has = (checks: readonly FoundCheck[], result: CheckResult, ...kinds: CheckKind[]) =>
  checks.some((check) => check.result === result && kinds.includes(check.kind));

const reasonsToReject = (checks: readonly Check[]): ReasonId[] => [
  ...(has(checks, 'failed', 'document_expiry') ? (['document_expired'] as const) : []),
  ...(has(checks, 'failed', 'document_integrity', 'mrz_check_digits', 'data_consistency')
    ? (['document_check_failed'] as const)
    : []),
];

/** Only an examination that was made can say that a picture may show a copy. So that is taken from what was found. */
const reasonsToReview = (checks: readonly Check[], found: readonly FoundCheck[]): ReasonId[] => [
  ...(has(found, 'doubt', 'document_integrity') ? (['document_may_be_copy'] as const) : []),
  ...(has(checks, 'doubt', 'document_expiry', 'mrz_check_digits', 'data_consistency')
    ? (['document_data_in_doubt'] as const)
    : []),
  'person_assesses',
];
