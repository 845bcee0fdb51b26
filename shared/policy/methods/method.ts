import type { AssuranceLevel, CheckKind, Environment, EvidenceKind } from '#contract/enums.ts';
import type { Check, Decision } from '#contract/workflows.ts';
import type { ReasonId } from '../reasons.ts';
import type { Step } from '../steps.ts';

/**
 * One method of verification, as a row: everything that differs between methods, except the texts of the hosted page.
 * `table.ts` lists the rows. No other code compares the name of a method.
 */
export type VerificationMethod = {
  /** The evidence that the hosted page accepts. */
  evidence: Record<Environment, readonly EvidenceKind[]>;
  /** The page that the person sees in an environment in which this method cannot be used yet. */
  unavailable: Partial<Record<Environment, Step>>;
  /** The step that asks for the first missing evidence; `confirm` when none is missing. */
  nextStep(received: readonly EvidenceKind[]): Step;
  /** Its verdicts in sandbox (decision 12). */
  sandbox: SandboxVerdicts;
  /** The examiner of a live submission; null when there is nothing to examine. */
  examiner: Examiner | null;
  /** The live decision. A check that is missing in `found` could not be made. */
  decide(found: readonly Check[]): MethodDecision;
  /** The assurance level of an approval (decision 9). Any other outcome is `low`. */
  assurance: AssuranceLevel;
};

export const examiners = ['document'] as const;
export type Examiner = (typeof examiners)[number];

export type SandboxVerdicts = {
  kinds: readonly CheckKind[];
  /** The confidence of each check that passes. */
  passedConfidence: number;
  review: SandboxException;
  rejected: SandboxException;
};

/** The one check that does not pass, and the reason that the verdict gives. */
type SandboxException = { check: Check; reason: ReasonId };

export type MethodDecision = Pick<Decision, 'outcome' | 'checks'> & { reasonIds: ReasonId[] };
