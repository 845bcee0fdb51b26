import type { Environment, EvidenceKind, Method, StoredKind, VerificationStatus } from '#contract/enums.ts';
import type { Decision } from '#contract/workflows.ts';
import { verificationMethods } from './methods/table.ts';
import type { ReasonId } from './reasons.ts';
import type { Step } from './steps.ts';

/** The progress of a person in the hosted flow. */
export type FlowState = {
  environment: Environment;
  method: Method;
  status: VerificationStatus;
  submitted: boolean;
  linkExpired: boolean;
  cancelled: boolean;
  withdrawnAt: Date | null;
  received: readonly EvidenceKind[];
  /** True if the organisation has the contract that the method needs in live. */
  connected?: boolean;
};

/** The step of the hosted page that the person sees now (decision 6). */
export function stepOf(state: FlowState): Step {
  const { environment, method, status, submitted, linkExpired, cancelled, received } = state;
  const { evidence, unavailable, nextStep } = verificationMethods[method];
  if (status === 'completed') return 'done';
  if (cancelled) return 'cancelled';
  // Evidence that the page does not accept came together with the submission, so the row was read a moment too early.
  if (submitted || received.some((kind) => !evidence[environment].includes(kind))) return 'checking';
  if (linkExpired) return 'expired';
  const closed = state.connected ? undefined : unavailable[environment];
  if (closed !== undefined) return closed;
  if (awaitsConsent(state)) return 'welcome';
  return nextStep(received);
}

/** True before Start, and after a withdrawal until the person starts again. */
export const awaitsConsent = ({ status, withdrawnAt }: Pick<FlowState, 'status' | 'withdrawnAt'>): boolean =>
  status === 'pending' || withdrawnAt !== null;

type Progress = Pick<FlowState, 'status' | 'withdrawnAt'> &
  Record<'submittedAt' | 'cancelledAt', Date | null>;

/**
 * True from Start until the person submits or withdraws, or the verification is completed or cancelled. It does not ask for the link: a visit
 * to a bank that began in time goes on when the link expires, and a renewal of the link ends it.
 */
export const awaitsEvidence = (progress: Progress): boolean =>
  progress.status === 'in_progress' &&
  !awaitsConsent(progress) &&
  progress.submittedAt === null &&
  progress.cancelledAt === null;

const stepsBeforeSend: readonly Step[] = [
  'welcome',
  'document',
  'card_back',
  'selfie',
  'movements',
  'confirm',
];

/** True if the person may ask for another way at this step: the method measures the face, and nothing was sent yet (decision 47). */
export const mayAskForOtherWay = (method: Method, step: Step): boolean =>
  verificationMethods[method].consents.includes('face') && stepsBeforeSend.includes(step);

/** The verdict of somebody who asked for another way. A person of the organisation goes on. */
export const otherWayDecision: Decision = {
  outcome: 'review',
  assuranceLevel: 'low',
  reasonIds: ['other_way_asked' satisfies ReasonId],
  checks: [],
  reviewed: false,
};

/** What the last page tells. Otherwise it shows no outcome, because the partner tells the person. */
export type Ending = 'plain' | 'rejected_by_machine' | 'other_way';

/** Whoever was rejected by a machine is told so, and how to ask for a person (decision 44; GDPR 22). */
export function endingOf(verdict: Pick<Decision, 'outcome' | 'reasonIds' | 'reviewed'> | null): Ending {
  if (verdict === null || verdict.reviewed) return 'plain';
  if (verdict.outcome === 'rejected') return 'rejected_by_machine';
  return verdict.reasonIds.includes('other_way_asked' satisfies ReasonId) ? 'other_way' : 'plain';
}

/** True if no evidence is missing. The person may then submit. */
export const isComplete = (method: Method, received: readonly EvidenceKind[]): boolean =>
  verificationMethods[method].nextStep(received) === 'confirm';

export const evidenceFor = (environment: Environment, method: Method): readonly EvidenceKind[] =>
  verificationMethods[method].evidence[environment];

/** A person shows only one document, so a passport replaces a card and a card replaces a passport. What was read is of the document before. */
export const replacedBy = (kind: EvidenceKind): readonly StoredKind[] =>
  kind === 'passport_page'
    ? ['card_front', 'card_back', 'fields']
    : kind === 'card_front' || kind === 'card_back'
      ? ['passport_page', 'fields']
      : [];

const paperSteps: readonly Step[] = ['papers', 'confirm'];
const pictureSteps: readonly Step[] = ['document', 'card_back', 'selfie', 'movements', 'confirm'];

/**
 * A picture is accepted at all `pictureSteps`, so a person can replace a picture before the submission. The confirmation of the
 * bank is accepted only at the step `bank`.
 */
export const acceptsAt = (step: Step, kind: EvidenceKind): boolean => {
  if (kind === 'bank') return step === 'bank';
  return (kind === 'papers' ? paperSteps : pictureSteps).includes(step);
};
