import type {
  AssuranceLevel,
  CheckKind,
  ConsentItem,
  DecisionRule,
  Environment,
  EvidenceKind,
} from '#contract/enums.ts';
import type { Finding } from '#contract/examinations.ts';
import type { Check, Decision } from '#contract/workflows.ts';
import type { ReasonId } from '../reasons.ts';
import type { Resource } from '../resources.ts';
import type { Step } from '../steps.ts';

/**
 * A method of verification, or that of income checks, as a row of `table.ts`. The row contains all differences between methods, except the texts of the
 * hosted page. No other code compares the name of a method.
 */
export type VerificationMethod = {
  /** What partners see of it. */
  resource: Resource;
  /** The evidence that the hosted page accepts. */
  evidence: Record<Environment, readonly EvidenceKind[]>;
  /** What the end user must tick before the start. */
  consents: readonly ConsentItem[];
  /** The step that the page shows in an environment unless the organisation has the contract that the method needs there. */
  unavailable: Partial<Record<Environment, Step>>;
  /** The step that requests the first missing evidence. The step is `confirm` if no evidence is missing. */
  nextStep(received: readonly EvidenceKind[]): Step;
  /** The verdicts of the method in sandbox (decision 12). */
  sandbox: SandboxVerdicts;
  /** The examiners of a live submission. Empty if there is nothing to examine. */
  examiners: readonly Examiner[];
  /** Makes the decision in live. If a check is not in `found`, the check could not be made. `rule` says what a machine may decide. */
  decide(found: readonly FoundCheck[], rule: DecisionRule): MethodDecision;
  /** The assurance level of an approval (decision 9). Every other outcome has the level `low`. */
  assurance: AssuranceLevel;
};

export type Examiner = 'document' | 'face' | 'liveness' | 'income';

/** Those that examine pictures, which may begin before Send. */
export type PictureExaminer = Exclude<Examiner, 'income'>;
export const examinesPictures = (examiner: Examiner): examiner is PictureExaminer => examiner !== 'income';

/** A check that was made. `finding` says why it could not be made, or what else is to be known of it. */
export type FoundCheck = Check & { finding?: Finding | null };

/** The part of a check that the verdict has. */
export const plain = ({ kind, result, confidence, documentId }: FoundCheck): Check => ({
  ...{ kind, result, confidence },
  ...(documentId !== undefined && { documentId }),
});

export type SandboxVerdicts = {
  kinds: readonly CheckKind[];
  /** The confidence of every check that passes, from 0 to 1. */
  passedConfidence: number;
  review: SandboxException;
  rejected: SandboxException;
};

/** The only check that does not pass, and the reason in the verdict. */
type SandboxException = { check: Check; reason: ReasonId };

export type MethodDecision = Pick<Decision, 'outcome' | 'checks'> & { reasonIds: ReasonId[] };
