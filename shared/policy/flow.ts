import type { Environment, EvidenceKind, Method, VerificationStatus } from '#contract/enums.ts';
import { verificationMethods } from './methods/table.ts';
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
};

/** The step of the hosted page that the person sees now (decision 6). */
export function stepOf(state: FlowState): Step {
  const { environment, method, status, submitted, linkExpired, cancelled, received } = state;
  const { unavailable, nextStep } = verificationMethods[method];
  if (status === 'completed') return 'done';
  if (cancelled) return 'cancelled';
  if (submitted) return 'checking';
  if (linkExpired) return 'expired';
  const closed = unavailable[environment];
  if (closed !== undefined) return closed;
  if (awaitsConsent(state)) return 'welcome';
  return nextStep(received);
}

/** True before Start, and after a withdrawal until the person starts again. */
export const awaitsConsent = ({ status, withdrawnAt }: Pick<FlowState, 'status' | 'withdrawnAt'>): boolean =>
  status === 'pending' || withdrawnAt !== null;

/** True if no evidence is missing. The person may then submit. */
export const isComplete = (method: Method, received: readonly EvidenceKind[]): boolean =>
  verificationMethods[method].nextStep(received) === 'confirm';

export const evidenceFor = (environment: Environment, method: Method): readonly EvidenceKind[] =>
  verificationMethods[method].evidence[environment];

/** A person shows only one document, so a passport replaces a card and a card replaces a passport. */
export const replacedBy = (kind: EvidenceKind): readonly EvidenceKind[] =>
  kind === 'passport_page'
    ? ['card_front', 'card_back']
    : kind === 'card_front' || kind === 'card_back'
      ? ['passport_page']
      : [];

const pictureSteps: readonly Step[] = ['document', 'card_back', 'selfie', 'confirm'];

/**
 * A picture is accepted at all `pictureSteps`, so a person can replace a picture before the submission. The confirmation of the
 * bank is accepted only at the step `bank`.
 */
export const acceptsAt = (step: Step, kind: EvidenceKind): boolean =>
  kind === 'bank' ? step === 'bank' : pictureSteps.includes(step);
