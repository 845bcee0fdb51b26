import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { IncomeDocumentType } from '#contract/enums.ts';
import { IncomePaper, type JudgedBy, Judgement, paperLimits } from '#contract/income/papers.ts';
import type { UnreadableReason } from '#contract/income/signs.ts';
import type { Program } from '#platform/isolated/program.ts';
import { jsonOf } from '#platform/json.ts';
import { type FewAtOnceOptions, fewAtOnce } from '../document/few-at-once.ts';
import type { IncomeReader, ReadPdf } from '../port.ts';

const program: Program = {
  file: new URL('./program.ts', import.meta.url),
  readyMs: 20_000,
  // A busy machine may take long, and no file may take much of it.
  ...{ jobMs: 45_000, processorMs: 15_000, isBackground: true },
  answerBytesMax: 30_000_000,
  memoryBytesMax: 1_500_000_000,
};

/**
 * Papers that are read at the same time. Each takes up to a quarter of a gigabyte. Half of the cores stay free for what people wait for: with two
 * cores, two at once were a seventh faster, and creates beside them a third slower.
 */
const readAtOnce = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2)));

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
      const unreadable = (reason: UnreadableReason): ReadPdf => ({
        facts: { readable: false, sha256, reason },
        pages: undefined,
      });
      if (pdf.length > paperLimits.bytesMax) return unreadable('too_large');
      // Whoever makes a file can make one that takes the program's memory or time, or that takes the program over. One that cannot be
      // shown may still be read.
      const read = (await run('paper', pdf, ...anchors)) ?? (await run('facts', pdf, ...anchors));
      const [first, ...pages] = read ?? [];
      const facts = IncomePaper.safeParse(jsonOf(first)).data;
      if (facts?.sha256 !== sha256) return unreadable('too_complex');
      return { facts, pages: facts.readable && pages.length > 0 && pages.every(isJpeg) ? pages : undefined };
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
