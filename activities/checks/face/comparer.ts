import { z } from 'zod';
import { faceFindings } from '#contract/examinations.ts';
import type { Program } from '#platform/isolated/program.ts';
import { jsonOf } from '#platform/json.ts';
import { type FewAtOnceOptions, fewAtOnce } from '../document/few-at-once.ts';
import type { ComparedFaces, FaceComparer } from '../port.ts';

const program: Program = {
  file: new URL('./program.ts', import.meta.url),
  readyMs: 10_000,
  jobMs: 60_000,
  answerBytesMax: 1_000,
  memoryBytesMax: 2_500_000_000,
};

/** Compares faces one pair after the other, each in a process of its own, as the document reader examines documents. */
export function startFaceComparer(options: FewAtOnceOptions): FaceComparer {
  const programs = fewAtOnce('face', program, options);
  return {
    async compare(document, selfie) {
      const answer = await programs.run([document, selfie]);
      const compared = Array.isArray(answer) ? comparedOf(answer) : undefined;
      if (compared === undefined) throw new Error('The faces could not be compared');
      return compared;
    },
    close: programs.close,
  };
}

const Compared = z.union([
  z.strictObject({ distance: z.number().min(0).max(10), recaptured: z.number().min(0).max(1) }),
  z.strictObject({ finding: z.enum(faceFindings) }),
]);

/** Checks an answer, because a picture may have taken over the process that gave it. Returns undefined if it is not in order. */
function comparedOf([answer, ...more]: readonly Buffer[]): ComparedFaces | undefined {
  return more.length === 0 ? Compared.safeParse(jsonOf(answer)).data : undefined;
}
