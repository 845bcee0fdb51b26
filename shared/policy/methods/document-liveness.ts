import { type CheckKind, type DecisionRule, originalKinds } from '#contract/enums.ts';
import type { Check } from '#contract/workflows.ts';
import { decideByDocument, documentChecks, nextDocumentStep, sandboxRejected } from './document.ts';
import type { MethodDecision, VerificationMethod } from './method.ts';

const evidence = [...originalKinds, 'selfie'] as const;

const faceChecks: readonly CheckKind[] = ['face_match', 'liveness'];

export const documentLiveness: VerificationMethod = {
  evidence: { sandbox: evidence, live: evidence },
  consents: ['document', 'face'],
  unavailable: {},
  nextStep: (received) => nextDocumentStep(received) ?? (received.includes('selfie') ? 'confirm' : 'selfie'),
  sandbox: {
    kinds: [...documentChecks, ...faceChecks],
    passedConfidence: 0.99,
    review: {
      check: { kind: 'face_match', result: 'doubt', confidence: 0.55 },
      reason: 'face_comparison_in_doubt',
    },
    rejected: sandboxRejected,
  },
  examiner: 'document',
  decide: withoutFace,
  assurance: 'substantial',
};

/**
 * The face is not examined yet, so the checks of the face have the result `not_applicable`. No rule lets a machine approve, because
 * a person assesses the face (specification 1).
 */
function withoutFace(found: readonly Check[], rule: DecisionRule): MethodDecision {
  const { outcome, reasonIds, checks } = decideByDocument(found, rule);
  return {
    outcome,
    reasonIds: outcome === 'rejected' ? reasonIds : [...reasonIds, 'person_assesses_likeness'],
    checks: [
      ...checks,
      ...faceChecks.map((kind): Check => ({ kind, result: 'not_applicable', confidence: 0 })),
    ],
  };
}
