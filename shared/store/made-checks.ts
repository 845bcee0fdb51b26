import type { CheckKind } from '#contract/enums.ts';
import type { Engine, MadeCheck, Making } from '#contract/examinations.ts';
import type { Check } from '#contract/workflows.ts';

/**
 * Checks as rows store them. What made them stands beside them, because the version before copies each stored check into the verdict as it
 * is. It reads `engine`, which made the first check.
 */
export type StoredChecks = { checks: Check[]; makings: StoredMaking[]; engine: Engine | null };
export type StoredMaking = Making & { kind: CheckKind };

export const storedChecks = (made: readonly MadeCheck[]): StoredChecks => ({
  checks: made.map(({ kind, result, confidence, documentId }) => ({
    ...{ kind, result, confidence },
    ...(documentId !== undefined && { documentId }),
  })),
  makings: made.map(({ kind, engine, threshold, finding }) => ({ kind, engine, threshold, finding })),
  engine: made[0]?.engine ?? null,
});

/** The version before stored no `makings`. */
export const madeChecks = ({
  checks,
  makings,
  engine,
}: Omit<StoredChecks, 'makings'> & { makings?: StoredMaking[] | null | undefined }): MadeCheck[] =>
  checks.map((check) => {
    const making = makings?.find(({ kind }) => kind === check.kind);
    return { ...check, ...(making ?? { engine, threshold: null, finding: null }) };
  });
