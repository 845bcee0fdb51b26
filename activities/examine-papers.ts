import type { IncomePaper, JudgedBy, Judgement } from '#contract/income/papers.ts';
import type { FoundCheck } from '#policy/methods/method.ts';
import type { ExaminablePapers, JudgedPapers } from '#services/flow/income-examination.ts';
import type { PageSize } from '#services/personal/papers.ts';
import type { IncomeReader, ReadPdf } from './checks/port.ts';

type Examinable = ExaminablePapers['papers'][number];

/** A document as it was read. */
export type ReadPaper = Pick<Examinable, 'id' | 'sha256'> & ReadPdf;

/** Has documents read and pictured. Rejects if the reading itself failed, which says nothing about the documents. */
export async function readPapers(reader: IncomeReader, papers: readonly Examinable[]): Promise<ReadPaper[]> {
  const read: ReadPaper[] = [];
  for (const { id, sha256, pdf } of papers) read.push({ id, sha256, ...(await reader.read(pdf)) });
  return read;
}

/** The SHA-256 of files and of their words, in hex. */
export const hashesOf = (read: readonly ReadPaper[]): string[] =>
  read.flatMap(({ sha256, facts }) => [sha256, textOf(facts) ?? []].flat());

/** What an examination of documents found: the checks of each, and what is kept beside them. */
export type JudgedAll = { found: FoundCheck[]; kept: JudgedPapers };

/** Has documents judged together. Rejects as `readPapers` does. Without documents there is nothing to judge, and a person looks. */
export async function judgePapers(
  reader: IncomeReader,
  read: readonly ReadPaper[],
  by: Omit<JudgedBy, 'signedTypes'>,
): Promise<JudgedAll> {
  const papers = read.map(({ id, facts }) => ({ id, facts }));
  const judgement =
    (await reader.judge(papers, by)) ?? (await reader.judge(papers.map(tooComplex), by)) ?? undecided;
  const { checks, ...kept } = judgement;
  return { found: checks.map(foundOf), kept: { judgement: kept, papers: read.map(keptOf) } };
}

/** Papers that take too long to compare are judged as files that cannot be read. */
const tooComplex = ({ id, facts }: Pick<ReadPaper, 'id' | 'facts'>) => ({
  id,
  facts: { readable: false, sha256: facts.sha256, reason: 'too_complex' } as const,
});

const undecided: Judgement = { checks: [], signals: [], documents: [], result: null };

const keptOf = ({ id, sha256, facts, pages }: ReadPaper): JudgedPapers['papers'][number] => ({
  ...{ id, sha256, pages, textSha256: textOf(facts), pageSizes: sizesOf(facts) },
});

const textOf = (facts: IncomePaper): string | null => (facts.readable ? facts.textSha256 : null);

const sizesOf = (facts: IncomePaper): PageSize[] =>
  facts.readable ? facts.pages.map(({ width, height }) => [width, height]) : [];

const foundOf = ({ documentId, ...check }: Judgement['checks'][number]): FoundCheck => ({
  ...check,
  ...(documentId !== null && { documentId }),
});
