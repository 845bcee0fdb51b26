import type { Check } from '#contract/workflows.ts';

/** The waits before the next examination if an examination failed, in milliseconds. */
export const examineAgainMs = [2_000, 10_000, 60_000, 300_000] as const;

const examinationsMax = examineAgainMs.length + 1;

/**
 * The checks that a verdict is computed from, or undefined if the evidence must still be examined. `found` are the examinations,
 * oldest first, with null for an examination that failed. After five failures the list of checks is empty. Every check of the
 * document is then in doubt, so that a person looks at the document.
 */
export function conclusive(found: readonly (Check[] | null)[]): Check[] | undefined {
  const made = found.findLast((checks) => checks !== null);
  return made ?? (found.length >= examinationsMax ? [] : undefined);
}
