import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { ReadDocument } from '#contract/documents/read-fields.ts';
import { checkKinds, checkResults } from '#contract/enums.ts';
import { calendarDay } from '#contract/time.ts';
import type { Program } from '#platform/isolated/program.ts';
import { jsonOf } from '#platform/json.ts';
import { textNetworks } from '../networks/text-networks.ts';
import type { DocumentReader, ExaminedDocument } from '../port.ts';
import { type FewAtOnceOptions, fewAtOnce } from './few-at-once.ts';

const program: Program = {
  file: new URL('./program.ts', import.meta.url),
  given: textNetworks,
  readyMs: 30_000,
  jobMs: 60_000,
  answerBytesMax: 30_000,
  memoryBytesMax: 2_500_000_000,
};

/**
 * Documents that are examined at the same time. Two on more than one processor: then persons who send at once wait half as long. Not more,
 * since each takes up to half a gigabyte.
 */
const examinedAtOnce = Math.min(2, availableParallelism());

/** Examines documents in the order in which they come. */
export function startDocumentReader(options: FewAtOnceOptions, atOnce = examinedAtOnce): DocumentReader {
  const programs = fewAtOnce('document', program, options, atOnce);
  return {
    async check({ front, back }, today) {
      const sides = [front, back].filter((side) => side !== null);
      const answer = await programs.run([Buffer.from(calendarDay(today)), ...sides]);
      const examined = Array.isArray(answer) ? examinedIn(answer) : undefined;
      if (examined === undefined) throw new Error('The document could not be examined');
      return examined;
    },
    close: programs.close,
  };
}

const Checks = z.array(
  z.strictObject({
    kind: z.enum(checkKinds),
    result: z.enum(checkResults),
    confidence: z.number().min(0).max(1),
  }),
);
const documentChecks = ['document_integrity', 'document_expiry', 'mrz_check_digits', 'data_consistency'];

/** Checks an answer, because a picture may have taken over the process that gave it. Returns undefined if it is not in order. */
function examinedIn([first, second, ...more]: readonly Buffer[]): ExaminedDocument | undefined {
  const checks = Checks.safeParse(jsonOf(first)).data;
  const read = ReadDocument.safeParse(jsonOf(second)).data;
  if (checks === undefined || read === undefined || more.length > 0) return undefined;
  const isInOrder = checks.map(({ kind }) => kind).join() === documentChecks.join();
  return isInOrder ? { checks, read } : undefined;
}
