import { type CheckKind, type DecisionRule, originalKinds } from '#contract/enums.ts';
import type { ReasonId } from '../reasons.ts';
import { decideByDocument, documentChecks, nextDocumentStep, sandboxRejected } from './document.ts';
import { type FoundCheck, type MethodDecision, plain, type VerificationMethod } from './method.ts';

const evidence = [...originalKinds, 'selfie'] as const;

const faceChecks: readonly CheckKind[] = ['face_match', 'liveness'];

export const documentLiveness: VerificationMethod = {
  resource: 'verification',
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
  examiners: ['document', 'face'],
  decide: byPerson,
  assurance: 'substantial',
};

/**
 * A machine decides nothing about the face: a person assesses it, whatever the comparison found (specification 1, decision 44). It is not
 * examined whether the person was present, so that check has the result `not_applicable`.
 */
function byPerson(found: readonly FoundCheck[], rule: DecisionRule): MethodDecision {
  const { outcome, reasonIds, checks } = decideByDocument(found, rule);
  const face = found.find(({ kind }) => kind === 'face_match') ?? notCompared;
  return {
    outcome,
    reasonIds:
      outcome === 'rejected' ? reasonIds : [...reasonIds, likenessReason(face), 'person_assesses_presence'],
    checks: [...checks, plain(face), { kind: 'liveness', result: 'not_applicable', confidence: 0 }],
  };
}

const notCompared: FoundCheck = {
  ...{ kind: 'face_match', result: 'doubt', confidence: 0 },
  finding: 'faces_not_compared',
};

function likenessReason({ result, finding }: FoundCheck): ReasonId {
  if (finding === 'faces_not_compared') return 'person_assesses_likeness';
  if (finding) return finding;
  if (result === 'passed') return 'faces_alike';
  return result === 'failed' ? 'faces_differ' : 'face_comparison_in_doubt';
}
