import type { Check } from '#contract/workflows.ts';
import type { FoundCheck } from './methods/method.ts';

/**
 * The bands of the face comparison, by the distance of two faces: 0 is the same picture. dlib's author calls 0.6 the best single threshold.
 * `passedMax` is lower, so that no measured pair of different people passed. The nearest was at 0.49 (docs/choices/faces.md). A change of a
 * number gets a new version.
 */
export const faceBands = { version: 'faces 1', passedMax: 0.45, doubtMax: 0.65 } as const;

/**
 * A photograph of a face that is more probably than this one of a screen, a print or a copy gets a hint. Two of 70 photographs of faces
 * themselves were above it (docs/choices/faces.md). A hint changes no result.
 */
export const recapturedHint = { version: 'hint 1', above: 0.75 } as const;

/** The rules as the history and the dossier name them. */
export const faceThreshold = `${faceBands.version}: passed to ${faceBands.passedMax}, doubt to ${faceBands.doubtMax}; ${recapturedHint.version}: a screen or a print above ${recapturedHint.above}`;

/** The distance at which two faces are as likely as not of one person. It has the confidence 0.5. */
const middle = 0.6;

/** The result of a comparison, and the hint if there is one. */
export const judgeCompared = ({
  distance,
  recaptured,
}: {
  distance: number;
  recaptured: number;
}): FoundCheck => ({
  ...judgeFaces(distance),
  finding: recaptured > recapturedHint.above ? 'selfie_may_be_recaptured' : null,
});

/**
 * The result of a comparison. The confidence is linear in the distance: 1 at 0, 0.5 at the middle, 0 at twice the middle. If the
 * comparison failed, it is the confidence that the faces differ.
 */
export function judgeFaces(distance: number): Check {
  const likeness = Math.min(Math.max(1 - distance / (2 * middle), 0), 1);
  const check = (result: Check['result'], confidence: number): Check => ({
    ...{ kind: 'face_match', result },
    confidence: Math.round(confidence * 100) / 100,
  });
  if (distance <= faceBands.passedMax) return check('passed', likeness);
  return distance <= faceBands.doubtMax ? check('doubt', likeness) : check('failed', 1 - likeness);
}
