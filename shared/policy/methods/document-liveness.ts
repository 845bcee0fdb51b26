import { type CheckKind, type DecisionRule, originalKinds } from '#contract/enums.ts';
import type { Finding } from '#contract/examinations.ts';
import type { Check } from '#contract/workflows.ts';
import type { ReasonId } from '../reasons.ts';
import { decideByDocument, documentChecks, nextDocumentStep, sandboxRejected } from './document.ts';
import { type FoundCheck, type MethodDecision, plain, type VerificationMethod } from './method.ts';

const evidence = [...originalKinds, 'selfie', 'movements'] as const;

const faceChecks: readonly CheckKind[] = ['face_match', 'liveness'];

export const documentLiveness: VerificationMethod = {
  resource: 'verification',
  evidence: { sandbox: evidence, live: evidence },
  consents: ['document', 'face'],
  unavailable: {},
  nextStep(received) {
    const missing = (['selfie', 'movements'] as const).find((kind) => !received.includes(kind));
    return nextDocumentStep(received) ?? missing ?? 'confirm';
  },
  sandbox: {
    kinds: [...documentChecks, ...faceChecks],
    passedConfidence: 0.99,
    review: {
      check: { kind: 'face_match', result: 'doubt', confidence: 0.55 },
      reason: 'face_comparison_in_doubt',
    },
    rejected: sandboxRejected,
  },
  examiners: ['document', 'face', 'liveness'],
  decide: byPerson,
  assurance: 'substantial',
};

/**
 * A machine decides nothing about the face: a person assesses it, whatever the comparison and the movements showed (specification 1,
 * decision 44).
 */
function byPerson(found: readonly FoundCheck[], rule: DecisionRule): MethodDecision {
  const { outcome, reasonIds, checks } = decideByDocument(found, rule);
  const check = (kind: CheckKind) => found.find((each) => each.kind === kind);
  const face = check('face_match') ?? notCompared;
  const liveness = check('liveness') ?? notExamined;
  return {
    outcome,
    reasonIds:
      outcome === 'rejected' ? reasonIds : [...reasonIds, ...likenessReasons(face), presenceReason(liveness)],
    checks: [...checks, plain(face), plain(liveness)],
  };
}

const notCompared: FoundCheck = {
  ...{ kind: 'face_match', result: 'doubt', confidence: 0 },
  finding: 'faces_not_compared',
};
const notExamined: FoundCheck = {
  ...{ kind: 'liveness', result: 'doubt', confidence: 0 },
  finding: 'movements_not_examined',
};

/** A finding is why there is no comparison, but for the hint, which stands beside one. */
function likenessReasons({ result, finding }: FoundCheck): ReasonId[] {
  if (finding && finding !== 'selfie_may_be_recaptured') return [reasonOf[finding]];
  return [likenessReason(result), ...(finding ? [reasonOf[finding]] : [])];
}

function likenessReason(result: Check['result']): ReasonId {
  if (result === 'passed') return 'faces_alike';
  return result === 'failed' ? 'faces_differ' : 'face_comparison_in_doubt';
}

const presenceReason = ({ finding }: FoundCheck): ReasonId =>
  finding ? reasonOf[finding] : 'movements_as_asked';

const reasonOf: Record<Finding, ReasonId> = {
  bank_simulated: 'bank_simulated',
  portrait_not_found: 'portrait_not_found',
  several_portraits: 'several_portraits',
  portrait_too_small: 'portrait_too_small',
  face_not_found: 'face_not_found',
  several_faces: 'several_faces',
  face_too_small: 'face_too_small',
  selfie_may_be_recaptured: 'selfie_may_be_recaptured',
  faces_not_compared: 'person_assesses_likeness',
  movements_not_examined: 'person_assesses_presence',
  movements_declined: 'movements_not_made',
  movements_too_few_frames: 'movements_unclear',
  movements_face_lost: 'movements_unclear',
  movements_several_faces: 'movements_unclear',
  movements_face_too_small: 'movements_unclear',
  movements_frames_repeated: 'movements_not_one_recording',
  movements_jump: 'movements_not_one_recording',
  movements_none: 'movements_not_as_asked',
  movements_missing: 'movements_not_as_asked',
  movements_others: 'movements_not_as_asked',
  movements_face_changes: 'movements_of_other_face',
  movements_other_face: 'movements_of_other_face',
};
