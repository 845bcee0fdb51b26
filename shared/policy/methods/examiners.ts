import { type CheckKind, incomeCheckKinds, type Method } from '#contract/enums.ts';
import type { Finding } from '#contract/examinations.ts';
import { documentChecks } from './document.ts';
import type { Examiner, FoundCheck } from './method.ts';
import { verificationMethods } from './table.ts';

/** The checks that each examiner makes. */
const checksOf: Record<Examiner, readonly CheckKind[]> = {
  document: documentChecks,
  face: ['face_match'],
  liveness: ['liveness'],
  income: incomeCheckKinds,
};

export { type Examiner, examinesPictures, type PictureExaminer } from './method.ts';

/** In the order in which they examine. */
export const examinersOf = (method: Method): readonly Examiner[] => verificationMethods[method].examiners;

/** The examiners of the method whose checks are not all in `made`, in the order in which they examine. */
export const examinersDue = (method: Method, made: readonly { kind: CheckKind }[]): Examiner[] =>
  examinersOf(method).filter((examiner) =>
    checksOf[examiner].some((kind) => !made.some((check) => check.kind === kind)),
  );

/**
 * All checks of an examiner, by kind. Those that are not in `found` could not be made, so they are in doubt. Of an income check each document
 * has its own.
 */
export const allChecksOf = (examiner: Examiner, found: readonly FoundCheck[]): FoundCheck[] =>
  checksOf[examiner].flatMap((kind): FoundCheck[] => {
    const made = found.filter((check) => check.kind === kind);
    const finding = notExamined[examiner] ?? null;
    return made.length > 0 ? made : [{ kind, result: 'doubt', confidence: 0, finding }];
  });

/** What a check says that could not be made. */
const notExamined: Partial<Record<Examiner, Finding>> = {
  face: 'faces_not_compared',
  liveness: 'movements_not_examined',
};
