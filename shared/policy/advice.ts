import {
  type Advice,
  advices,
  type Environment,
  type EvidenceKind,
  type LookResult,
  lookedAtKinds,
  type Method,
} from '#contract/enums.ts';
import type { LivenessFinding } from '#contract/movements.ts';
import type { FoundCheck } from './methods/method.ts';
import { verificationMethods } from './methods/table.ts';

/** A person is told at most this number of times to take a picture of one kind again. After that the picture is taken as it is. */
export const adviceTimesMax = 3;

/**
 * For how long the page waits for the answer about a picture, or about the frames of the movements, in milliseconds. An answer that comes
 * later is shown before Send.
 */
export const adviceWaitMs = { picture: 1_500, movements: 6_000 } as const;

/** One run of a flow has its document examined at most this number of times before Send. After that the examination begins with Send. */
export const examinationsAheadMax = 3;

/** A picture that a person handed in. `look` is null before it was looked at. `advised` counts the advice on pictures of its kind. */
export type LookedAt = { look: LookResult | null; advised: number };

/** The advice on a picture, also if it is no longer shown. */
export const adviceOn = (look: LookResult | null): Advice | undefined =>
  advices.find((advice) => advice === look);

/** The advice that the person is shown. */
export const adviceShown = ({ look, advised }: LookedAt): Advice | undefined =>
  advised > adviceTimesMax ? undefined : adviceOn(look);

/** True if a look at one of these pictures has not ended. Nothing of sandbox is looked at. */
export const awaitsLook = (
  environment: Environment,
  pictures: readonly (LookedAt & { kind: EvidenceKind })[],
): boolean =>
  environment === 'live' &&
  pictures.some(({ kind, look }) => look === null && lookedAtKinds.some((each) => each === kind));

/** True if no better picture is asked for: the look found nothing, or there was enough advice. */
const isAccepted = (picture: LookedAt): boolean =>
  picture.look === 'fine' || (adviceOn(picture.look) !== undefined && adviceShown(picture) === undefined);

/** True if the document can be examined before Send: its pictures are complete and accepted. `document` are its pictures. */
export const isExaminedAhead = (
  method: Method,
  isComplete: boolean,
  document: readonly LookedAt[],
): boolean =>
  verificationMethods[method].examiners.includes('document') && isComplete && document.every(isAccepted);

/** What a person can do better about the movements. Of what looks like a fraud it says no more than that. */
export function adviceOnMovements({ result, finding }: FoundCheck): LookResult {
  if (result === 'passed') return 'fine';
  if (finding === 'movements_not_examined') return 'unknown';
  return asked.some((each) => each === finding) ? 'movements_missing' : 'movements_unclear';
}

const asked: readonly LivenessFinding[] = ['movements_none', 'movements_missing', 'movements_others'];
