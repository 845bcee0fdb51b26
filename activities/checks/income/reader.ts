import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { IncomeDocumentType } from '#contract/enums.ts';
import { IncomePaper, type JudgedBy, Judgement, paperLimits } from '#contract/income-papers.ts';
import type { Program } from '#platform/isolated/program.ts';
import { jsonOf } from '#platform/json.ts';
import { type FewAtOnceOptions, fewAtOnce } from '../document/few-at-once.ts';
import type { IncomeReader } from '../port.ts';

const program: Program = {
  file: new URL('./program.ts', import.meta.url),
  readyMs: 20_000,
  // A busy machine may take long, and no file may take much of it.
  ...{ jobMs: 45_000, processorMs: 15_000, isBackground: true },
  answerBytesMax: 30_000_000,
  memoryBytesMax: 1_500_000_000,
};

/** Papers that are read at the same time. Each takes up to a quarter of a gigabyte. */
const readAtOnce = Math.min(2, availableParallelism());

type Options = FewAtOnceOptions & {
  /** Certificates (DER) of authorities. A signature that leads to one of them is trusted. */
  anchors: readonly Uint8Array[];
  /** Types whose issuer signs every paper. */
  signedTypes?: readonly IncomeDocumentType[];
};

/** Reads papers in the order in which they come, each in a process of its own. */
export function startIncomeReader(
  { anchors, signedTypes = [], ...options }: Options,
  atOnce = readAtOnce,
): IncomeReader {
  const programs = fewAtOnce('income', program, options, atOnce);
  const run = async (word: string, pdf: Uint8Array, ...rest: Uint8Array[]): Promise<Buffer[] | undefined> => {
    const answer = await programs.run([Buffer.from(word), pdf, ...rest]);
    // The kernel ends what takes too much. What is late only had to wait for a busy machine.
    if (answer === 'not_started' || answer === 'late') throw new Error('The paper could not be read');
    return Array.isArray(answer) ? answer : undefined;
  };
  return {
    async read(pdf) {
      const sha256 = createHash('sha256').update(pdf).digest('hex');
      if (pdf.length > paperLimits.bytesMax) return { readable: false, sha256, reason: 'too_large' };
      // Whoever makes a file can make one that takes the program's memory or time, or that takes the program over.
      const [facts, ...more] = (await run('facts', pdf, ...anchors)) ?? [];
      const paper = IncomePaper.safeParse(jsonOf(facts)).data;
      if (more.length > 0 || paper?.sha256 !== sha256)
        return { readable: false, sha256, reason: 'too_complex' };
      return paper;
    },
    async pictures(pdf) {
      const pictures = await run('pictures', pdf);
      const isFine = pictures?.length !== 0 && pictures?.every(isJpeg);
      return isFine ? pictures : undefined;
    },
    async judge(papers, by) {
      const given: { papers: typeof papers; by: JudgedBy } = { papers, by: { ...by, signedTypes } };
      const [answer, ...more] = (await run('judgement', Buffer.from(JSON.stringify(given)))) ?? [];
      return more.length > 0 ? undefined : Judgement.safeParse(jsonOf(answer)).data;
    },
    close: programs.close,
  };
}

const isJpeg = (bytes: Buffer) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
