import type { DecisionRule } from '#contract/enums.ts';
import { type FoundCheck, type MethodDecision, plain, type VerificationMethod } from './method.ts';

export const idin: VerificationMethod = {
  resource: 'verification',
  // In sandbox, the person confirms at an example bank on the page. A live bank gives its answer to the product itself, so in live the
  // page accepts no evidence.
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
  examiners: [],
  decide: byBank,
  assurance: 'substantial',
};

/**
 * A bank is an authoritative source, so its confirmation approves without a person (decision 9). If it confirmed less than was asked for, a
 * person decides (decision 12). What the simulator confirmed says so.
 */
function byBank(found: readonly FoundCheck[], rule: DecisionRule): MethodDecision {
  const check = found.find(({ kind }) => kind === 'eid_authentication') ?? notConfirmed;
  const simulated = check.finding === 'bank_simulated' ? (['bank_simulated'] as const) : [];
  const { outcome, reasonIds } = judged(check, rule);
  return { outcome, reasonIds: [...reasonIds, ...simulated], checks: [plain(check)] };
}

const notConfirmed: FoundCheck = { kind: 'eid_authentication', result: 'doubt', confidence: 0 };

function judged({ result }: FoundCheck, rule: DecisionRule): Pick<MethodDecision, 'outcome' | 'reasonIds'> {
  if (result === 'passed') return { outcome: 'approved', reasonIds: ['all_checks_passed'] };
  if (result === 'failed' && rule !== 'people')
    return { outcome: 'rejected', reasonIds: ['bank_identification_failed'] };
  return { outcome: 'review', reasonIds: ['identity_attributes_in_doubt'] };
}
