import { z } from 'zod';
import { frameLimits, type MeasuredFrame } from '#contract/movements.ts';
import type { Program } from '#platform/isolated/program.ts';
import { jsonOf } from '#platform/json.ts';
import { type FewAtOnceOptions, fewAtOnce } from '../document/few-at-once.ts';
import type { LivenessMeasurer } from '../port.ts';

const program: Program = {
  file: new URL('./program.ts', import.meta.url),
  readyMs: 10_000,
  jobMs: 60_000,
  answerBytesMax: 50_000,
  memoryBytesMax: 2_500_000_000,
};

/** Measures the frames of one person after the other, each in a process of its own, as the document reader examines documents. */
export function startLivenessMeasurer(options: FewAtOnceOptions): LivenessMeasurer {
  const programs = fewAtOnce('liveness', program, options);
  return {
    async measure(selfie, frames) {
      const answer = await programs.run([selfie, ...frames]);
      const measured = Array.isArray(answer) ? measuredOf(answer) : undefined;
      if (measured?.length !== frames.length) throw new Error('The movements could not be measured');
      return measured;
    },
    close: programs.close,
  };
}

const distance = z.number().min(0).max(10).nullable();
const degrees = z.number().min(-1_000).max(1_000);
const share = z.number().min(-10).max(10);
const Measured: z.ZodType<MeasuredFrame[]> = z
  .array(
    z.strictObject({
      faces: z.int().min(0).max(1_000),
      width: z.number().min(0).max(10),
      ...{ x: share, y: share, turn: degrees, lift: degrees },
      ...{ fromFirst: distance, fromSelfie: distance, repeated: z.boolean() },
    }),
  )
  .max(frameLimits.count.max);

/** Checks an answer, because a frame may have taken over the process that gave it. Returns undefined if it is not in order. */
function measuredOf([answer, ...more]: readonly Buffer[]): MeasuredFrame[] | undefined {
  return more.length === 0 ? Measured.safeParse(jsonOf(answer)).data : undefined;
}
