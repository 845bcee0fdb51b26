import type { CheckKind, Method, Scenario } from '#contract/enums.ts';
import type { Check, Decision } from '#contract/workflows.ts';
import { sandboxAssurance } from './assurance.ts';
import type { ReasonId } from './reasons.ts';

export const documentChecks: readonly CheckKind[] = [
  'document_integrity',
  'document_expiry',
  'mrz_check_digits',
  'data_consistency',
];

type Plan = {
  kinds: readonly CheckKind[];
  passedConfidence: number;
  doubt: Check;
  doubtReason: ReasonId;
  failure: Check;
  failureReason: ReasonId;
};

const documentFailed: Check = { kind: 'document_integrity', result: 'failed', confidence: 0.97 };

/** The table of decision 12. */
const plans: Record<Method, Plan> = {
  document_liveness: {
    kinds: [...documentChecks, 'face_match', 'liveness'],
    passedConfidence: 0.99,
    doubt: { kind: 'face_match', result: 'doubt', confidence: 0.55 },
    doubtReason: 'face_comparison_in_doubt',
    failure: documentFailed,
    failureReason: 'document_check_failed',
  },
  document_only: {
    kinds: documentChecks,
    passedConfidence: 0.99,
    doubt: { kind: 'data_consistency', result: 'doubt', confidence: 0.55 },
    doubtReason: 'document_data_in_doubt',
    failure: documentFailed,
    failureReason: 'document_check_failed',
  },
  idin: {
    kinds: ['eid_authentication'],
    passedConfidence: 1,
    doubt: { kind: 'eid_authentication', result: 'doubt', confidence: 0.5 },
    doubtReason: 'identity_attributes_in_doubt',
    failure: { kind: 'eid_authentication', result: 'failed', confidence: 1 },
    failureReason: 'bank_identification_failed',
  },
};

/** What a sandbox verification ends with: the outcome is the scenario (specification 3; decision 12). Pure. */
export function sandboxDecision(method: Method, scenario: Scenario): Decision {
  const plan = plans[method];
  const exceptions = { approved: undefined, review: plan.doubt, rejected: plan.failure };
  const reasonIds: Record<Scenario, ReasonId> = {
    approved: 'all_checks_passed',
    review: plan.doubtReason,
    rejected: plan.failureReason,
  };
  const exception = exceptions[scenario];
  return {
    outcome: scenario,
    assuranceLevel: sandboxAssurance(method, scenario),
    reasonIds: [reasonIds[scenario]],
    checks: plan.kinds.map((kind) =>
      exception?.kind === kind ? exception : { kind, result: 'passed', confidence: plan.passedConfidence },
    ),
    reviewed: false,
  };
}
