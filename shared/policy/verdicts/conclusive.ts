import type { Method } from '#contract/enums.ts';
import type { MadeCheck } from '#contract/examinations.ts';
import { examinationsMax } from '../examination.ts';
import { examinersDue } from '../methods/examiners.ts';

/** The checks that were made so far. Each examination that did not fail has all checks of the ones before. */
export const madeSoFar = (found: readonly (MadeCheck[] | null)[]): MadeCheck[] =>
  found.findLast((checks) => checks !== null) ?? [];

/**
 * The checks that a verdict is computed from, or undefined if the evidence must still be examined. `found` are the examinations,
 * oldest first, with null for an examination that failed. After five examinations nothing more is tried. A check that is missing then is
 * in doubt, so that a person looks.
 */
export function conclusive(
  method: Method,
  found: readonly (MadeCheck[] | null)[],
): readonly MadeCheck[] | undefined {
  const made = madeSoFar(found);
  if (found.length >= examinationsMax) return made;
  const isExamined = found.some((checks) => checks !== null) && examinersDue(method, made).length === 0;
  return isExamined ? made : undefined;
}
