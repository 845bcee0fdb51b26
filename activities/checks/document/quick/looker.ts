import { lookResults } from '#contract/enums.ts';
import { calendarDay, minuteMs } from '#contract/time.ts';
import type { Program } from '#platform/isolated/program.ts';
import { createPrograms } from '#platform/isolated/programs.ts';
import { textNetworks } from '../../networks/text-networks.ts';
import type { PictureLooker } from '../../port.ts';
import type { FewAtOnceOptions } from '../few-at-once.ts';

const program: Program = {
  file: new URL('./program.ts', import.meta.url),
  given: textNetworks,
  readyMs: 30_000,
  jobMs: 30_000,
  answerBytesMax: 100,
  memoryBytesMax: 2_500_000_000,
};

/** A program that waits has the networks in memory, so there is one only while somebody walks, and for five minutes after that. */
const spareMs = 5 * minuteMs;

/**
 * Looks at pictures, each in a process of its own that was prepared ahead. The process knows no secret and ends with its picture, as in
 * the other isolated programs.
 */
export function startPictureLooker(
  { isolation, log, instruments, program: other }: FewAtOnceOptions,
  keptMs = spareMs,
): PictureLooker {
  const programs = createPrograms({
    ...{ isolation, log, instruments, name: 'look', sparesMax: 1, spareMs: keptMs },
    program: { ...program, ...other },
  });
  return {
    async look(kind, jpeg, today) {
      programs.expect();
      const answer = await programs.run([Buffer.from(kind), Buffer.from(calendarDay(today)), jpeg]);
      // A picture may have taken over the process that gave the answer.
      const found = Array.isArray(answer) && answer.length === 1 ? String(answer[0]) : undefined;
      const result = lookResults.find((each) => each === found);
      if (result === undefined) throw new Error('The picture could not be looked at');
      return result;
    },
    expect: programs.expect,
    close: programs.close,
  };
}
