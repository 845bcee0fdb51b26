import type { IncomePaper, Judgement } from '#contract/income-papers.ts';
import type { VerificationRef } from '#contract/workflows.ts';
import { calendarDay } from '#platform/calendar-day.ts';
import type { FoundCheck } from '#policy/methods/method.ts';
import type { Context } from '#services/context.ts';
import { examinablePapers, type JudgedPapers, knownPapers } from '#services/flow/income-examination.ts';
import type { PageSize } from '#services/personal/papers.ts';
import type { IncomeReader } from './checks/port.ts';

type PapersContext = Pick<Context, 'store' | 'secrets' | 'clock'>;

/** What an examination of documents found: the checks of each, and what is kept beside them. */
export type ExaminedPapers = { found: FoundCheck[]; kept: JudgedPapers };

/**
 * Has the documents of an income check read, judged together, and pictured. Rejects if the reading itself failed, which says nothing about
 * the documents. Without documents there is nothing to judge, and a person looks.
 */
export async function examinePapers(
  ctx: PapersContext,
  reader: IncomeReader,
  ref: VerificationRef,
): Promise<ExaminedPapers> {
  const { papers, by } = await examinablePapers(ctx, ref);
  const read: { id: string; facts: IncomePaper }[] = [];
  for (const { id, pdf } of papers) read.push({ id, facts: await reader.read(pdf) });
  const hashes = read.flatMap(({ facts }) => [facts.sha256, ...textOf(facts)]);
  const known = await knownPapers(ctx, ref, hashes);
  const context = { ...by, known, today: calendarDay(ctx.clock.now()) };
  const judgement =
    (await reader.judge(read, context)) ?? (await reader.judge(read.map(tooComplex), context)) ?? undecided;
  const pictured: JudgedPapers['papers'][number][] = [];
  for (const { id, sha256, pdf } of papers) {
    const facts = read.find((each) => each.id === id)?.facts;
    const pages = facts?.readable ? await reader.pictures(pdf) : undefined;
    const textSha256 = facts ? (textOf(facts)[0] ?? null) : null;
    pictured.push({ id, sha256, textSha256, pages, pageSizes: facts ? sizesOf(facts) : [] });
  }
  const { checks, ...kept } = judgement;
  return { found: checks.map(foundOf), kept: { judgement: kept, papers: pictured } };
}

/** Papers that take too long to compare are judged as files that cannot be read. */
const tooComplex = ({ id, facts }: { id: string; facts: IncomePaper }) => ({
  id,
  facts: { readable: false, sha256: facts.sha256, reason: 'too_complex' } as const,
});

const undecided: Judgement = { checks: [], signals: [], documents: [], result: null };

const textOf = (facts: IncomePaper): string[] =>
  facts.readable && facts.textSha256 !== null ? [facts.textSha256] : [];

const sizesOf = (facts: IncomePaper): PageSize[] =>
  facts.readable ? facts.pages.map(({ width, height }) => [width, height]) : [];

const foundOf = ({ documentId, ...check }: Judgement['checks'][number]): FoundCheck => ({
  ...check,
  ...(documentId !== null && { documentId }),
});
