import type { IncomeDocumentType } from '#contract/enums.ts';
import type { JudgedDocument, Judgement } from '#contract/income/papers.ts';
import { createDataKey } from '#platform/crypto/crypto.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { incomeChecksOf } from '#store/verifications/income-checks.ts';
import { incomeFilesOf } from '#store/verifications/income-files.ts';
import type { Context } from '../context.ts';
import { dataKeyBinding, findDataKey } from './data-key.ts';

/** Binds a sealed document, or the pictures of its pages, to its row. */
export const fileBinding = (id: string, part: 'file' | 'pages') => `income-file/${id}/${part}`;

/** Width and height of a page in points, as it is shown. The boxes of signs are in the same points. */
export type PageSize = readonly [width: number, height: number];

/** What the documents mean, as the row keeps it. */
export type KeptJudgement = Omit<Judgement, 'checks' | 'documents'> & {
  documents: (JudgedDocument & { sha256: string; pageSizes: readonly PageSize[] })[];
};

export const judgementBinding = (id: string) => `income-judgement/${id}`;

type Sealed = { id: string; judgement: Buffer | null; dataKey: Buffer | null };

/** Undefined before the documents were read, and after an erasure. */
export function openJudgement(
  { secrets }: Pick<Context, 'secrets'>,
  { id, judgement, dataKey }: Sealed,
): KeptJudgement | undefined {
  if (judgement === null || dataKey === null) return undefined;
  const key = createDataKey(secrets.openBytes('data-key', dataKeyBinding(id), dataKey));
  return JSON.parse(key.open(judgementBinding(id), judgement).toString('utf8'));
}

/** Several pictures as one value: the length of each before it. */
export function packed(pages: readonly Uint8Array[]): Buffer {
  return Buffer.concat(
    pages.flatMap((page) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(page.length);
      return [length, page];
    }),
  );
}

/** The pictures of the pages of a document. */
export function pagesIn(value: Buffer): Buffer[] {
  const pages: Buffer[] = [];
  for (let at = 0; at < value.length; ) {
    const end = at + 4 + value.readUInt32BE(at);
    pages.push(value.subarray(at + 4, end));
    at = end;
  }
  return pages;
}

/**
 * A document of an income check. `pages` are JPEGs, and empty if the document could not be shown. `pageSizes` are empty before it was read.
 */
export type ShownPaper = {
  id: string;
  type: IncomeDocumentType | null;
  pages: Buffer[];
  pageSizes: readonly PageSize[];
};

/** Documents with the signs that were found on them, and what they say together. `signals` and `result` are empty before they were read. */
export type ShownPapers = Pick<KeptJudgement, 'signals' | 'result'> & { documents: ShownPaper[] };

/** The documents of an income check that are stored. */
export async function papersOf(
  ctx: Pick<Context, 'secrets'>,
  tx: Db,
  scope: OrgScope,
  id: string,
): Promise<ShownPapers | null> {
  const files = await incomeFilesOf(scope, tx, id).pages();
  if (files.length === 0) return null;
  const key = await findDataKey(ctx, tx, scope, id);
  const row = await incomeChecksOf(scope, tx).find(id);
  const judged = row && openJudgement(ctx, row);
  return {
    documents: files.map(({ id: paper, pages }) => {
      const { type = null, pageSizes = [] } = judged?.documents.find((each) => each.id === paper) ?? {};
      const opened =
        pages === null || key === undefined ? [] : pagesIn(key.open(fileBinding(paper, 'pages'), pages));
      return { id: paper, type, pages: opened, pageSizes };
    }),
    signals: judged?.signals ?? [],
    result: judged?.result ?? null,
  };
}
