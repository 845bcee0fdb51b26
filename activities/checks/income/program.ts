import { X509Certificate } from 'node:crypto';
import type { IncomePaper } from '#contract/income/papers.ts';
import { serve } from '#platform/isolated/serve.ts';

type Work = (subject: Buffer, rest: readonly Buffer[]) => Promise<Uint8Array[]>;

const json = (value: unknown) => [Buffer.from(JSON.stringify(value))];

async function factsOf(file: Buffer, anchors: readonly Buffer[]): Promise<IncomePaper> {
  const { readPaper } = await import('./reading/read.ts');
  return readPaper(
    file,
    anchors.map((each) => new X509Certificate(each)),
  );
}

const works: Readonly<Record<string, Work>> = {
  async paper(file, anchors) {
    const facts = await factsOf(file, anchors);
    const { picturesOf } = await import('./reading/pictures.ts');
    const pages = facts.readable ? await picturesOf(file).catch(() => []) : [];
    return [...json(facts), ...pages];
  },
  facts: async (file, anchors) => json(await factsOf(file, anchors)),
  async judgement(papersAndBy) {
    const { judge } = await import('./judging/judge.ts');
    const { papers, by } = JSON.parse(String(papersAndBy));
    return json(judge(papers, by));
  },
};

/**
 * The program that reads one PDF, or judges what was read of several. The job is a word and its subject. `facts` takes a file and the
 * certificates (DER) by which signatures are trusted, and answers with the facts as JSON. `paper` adds a JPEG of each page. `judgement` takes
 * and answers JSON: whoever writes a paper also writes what the judge has to compare, and could make that take for ever. If the work fails, the program ends without an answer, and its errors go nowhere, since they could quote the file.
 */
await serve(
  async ([word = Buffer.alloc(0), subject = Buffer.alloc(0), ...rest]) =>
    (await works[String(word)]?.(subject, rest)) ?? [],
  { jobBytesMax: 40_000_000 },
);
