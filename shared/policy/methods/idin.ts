import type { DecisionRule } from '#contract/enums.ts';
import type { Check } from '#contract/workflows.ts';
import type { MethodDecision, VerificationMethod } from './method.ts';

export const idin: VerificationMethod = {
  // In sandbox, the person confirms at an example bank on the page. A live bank would send its answer itself, so in live the page
  // accepts no evidence.
  evidence: { sandbox: ['bank'], live: [] },
  consents: ['bank'],
  unavailable: { live: 'no_bank' },
  nextStep: (received) => (received.includes('bank') ? 'confirm' : 'bank'),
  sandbox: {
    kinds: ['eid_authentication'],
    passedConfidence: 1,
    review: {
      check: { kind: 'eid_authentication', result: 'doubt', confidence: 0.5 },
      reason: 'identity_attributes_in_doubt',
    },
    rejected: {
      check: { kind: 'eid_authentication', result: 'failed', confidence: 1 },
      reason: 'bank_identification_failed',
    },
  },
  examiner: null,
  decide: withoutBank,
  assurance: 'substantial',
};

/** No live bank is connected yet, so nothing can be approved. */
function withoutBank(found: readonly Check[], rule: DecisionRule): MethodDecision {
  const rejected = rule !== 'people' && found.some(({ result }) => result === 'failed');
  return {
    outcome: rejected ? 'rejected' : 'review',
    reasonIds: [rejected ? 'bank_identification_failed' : 'identity_attributes_in_doubt'],
    checks: [...found],
  };
}
