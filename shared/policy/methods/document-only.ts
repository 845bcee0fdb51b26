import { type CheckKind, type DecisionRule, originalKinds } from '#contract/enums.ts';
import { decideByDocument, documentChecks, nextDocumentStep, sandboxRejected } from './document.ts';
import type { FoundCheck, MethodDecision, VerificationMethod } from './method.ts';

export const documentOnly: VerificationMethod = {
  resource: 'verification',
  evidence: { sandbox: originalKinds, live: originalKinds },
  consents: ['document'],
  unavailable: {},
  nextStep: (received) => nextDocumentStep(received) ?? 'confirm',
  sandbox: {
    kinds: documentChecks,
    passedConfidence: 0.99,
    review: {
      check: { kind: 'data_consistency', result: 'doubt', confidence: 0.55 },
      reason: 'document_data_in_doubt',
    },
    rejected: sandboxRejected,
  },
  examiners: ['document'],
  decide: withoutPerson,
  assurance: 'low',
};

/** The only place where a machine approves anybody (decision 44). */
function withoutPerson(found: readonly FoundCheck[], rule: DecisionRule): MethodDecision {
  const decision = decideByDocument(found, rule);
  return rule === 'machine_may_decide' && isBeyondDoubt(found)
    ? { ...decision, outcome: 'approved', reasonIds: ['document_data_passed'] }
    : decision;
}

/** Nobody examines yet whether the document is genuine, so that check need not have passed. */
const mustPass: readonly CheckKind[] = ['document_expiry', 'mrz_check_digits', 'data_consistency'];

const isBeyondDoubt = (found: readonly FoundCheck[]): boolean =>
  found.every(({ result }) => result === 'passed' || result === 'not_applicable') &&
  mustPass.every((kind) => found.some((check) => check.kind === kind && check.result === 'passed'));
