import type { JudgedBy, Judgement } from '#contract/income/papers.ts';
import type { VerificationRef } from '#contract/workflows.ts';
import { examinationsMax } from '#policy/examination.ts';
import type { Db } from '#store/database/connection.ts';
import { type OrgScope, scopeOfWorkflow } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { examinationsOf } from '#store/verifications/examinations.ts';
import { incomeChecksOf } from '#store/verifications/income-checks.ts';
import { incomeFilesOf, incomeHashesOf } from '#store/verifications/income-files.ts';
import type { Context } from '../context.ts';
import { type Confirmed, openConfirmation } from '../ledger/confirmation.ts';
import { findDataKey, requireDataKey } from '../personal/data-key.ts';
import {
  fileBinding,
  judgementBinding,
  type KeptJudgement,
  type PageSize,
  packed,
} from '../personal/papers.ts';

type WithSecrets = Pick<Context, 'store' | 'secrets'>;

/** The documents of an income check, and by what they are judged. */
export type ExaminablePapers = {
  papers: { id: string; sha256: string; pdf: Buffer }[];
  by: Omit<JudgedBy, 'known' | 'today' | 'signedTypes'>;
};

/** Only the examination may read these documents. Those that were read already are gone, and so are those of an erased person. */
export async function examinablePapers(
  ctx: WithSecrets,
  { verificationId: id, ...ref }: VerificationRef,
): Promise<ExaminablePapers> {
  const scope = scopeOfWorkflow(ref);
  const { db } = ctx.store;
  const key = await findDataKey(ctx, db, scope, id);
  const asked = await incomeChecksOf(scope, db).asked(id);
  const files = await incomeFilesOf(scope, db, id).files();
  const papers = files.flatMap(({ id: paper, sha256, file }) =>
    file === null || key === undefined
      ? []
      : [{ id: paper, sha256: sha256.toString('hex'), pdf: key.open(fileBinding(paper, 'file'), file) }],
  );
  const linkedName = asked?.linkedId ? nameOf(await openConfirmation(ctx, db, scope, asked.linkedId)) : null;
  return { papers, by: { wanted: asked?.documentTypes ?? null, linkedName } };
}

/** A document keeps no name. Only what a bank confirmed has one. */
function nameOf(confirmed: Confirmed | null): string | null {
  const { initials, legallastnameprefix: prefix, legallastname: surname } = confirmed ?? {};
  return surname === undefined ? null : [initials, prefix, surname].filter(Boolean).join(' ');
}

/** Those of these SHA-256, in hex, that came with other income checks of the organisation. */
export async function knownPapers(
  { store }: WithSecrets,
  { verificationId, ...ref }: VerificationRef,
  hashes: readonly string[],
): Promise<string[]> {
  const known = await incomeHashesOf(scopeOfWorkflow(ref), store.db, verificationId).known(
    hashes.map((hash) => Buffer.from(hash, 'hex')),
  );
  return known.map((hash) => hash.toString('hex'));
}

/** Nobody sees a file that could not be read, so after the last try it is deleted. The caller holds a lock on the case. */
export async function dropUnreadAtLast(tx: Db, scope: OrgScope, id: string): Promise<void> {
  const before = await examinationsOf(scope, tx, id).found();
  if (before.length + 1 >= examinationsMax) await incomeFilesOf(scope, tx, id).dropUnread();
}

/** What an examination of documents found. */
export type JudgedPapers = {
  judgement: Omit<Judgement, 'checks'>;
  papers: readonly {
    id: string;
    sha256: string;
    /** SHA-256 of the words, in hex. Null if the document was not read. */
    textSha256: string | null;
    /** JPEGs of the pages. Undefined if it gave none. */
    pages: readonly Uint8Array[] | undefined;
    pageSizes: readonly PageSize[];
  }[];
};

/**
 * Keeps what an examination found, and replaces each document by the pictures of its pages, on which citizen service numbers are covered. The
 * caller holds a lock on the case.
 */
export async function keepJudged(
  ctx: Pick<Context, 'secrets'>,
  tx: Db,
  scope: OrgScope,
  id: string,
  { judgement, papers }: JudgedPapers,
): Promise<void> {
  const key = await requireDataKey(ctx, tx, scope, id);
  const files = incomeFilesOf(scope, tx, id);
  for (const { id: paper, pages } of papers) {
    const sealed = pages && key.seal(fileBinding(paper, 'pages'), packed(pages));
    await files.replace(paper, sealed ?? null);
  }
  await incomeHashesOf(scope, tx, id).add(
    papers.flatMap(({ sha256, textSha256 }) =>
      [sha256, ...(textSha256 === null ? [] : [textSha256])].map((hash) => Buffer.from(hash, 'hex')),
    ),
  );
  const kept: KeptJudgement = {
    ...judgement,
    documents: judgement.documents.map((each) => {
      const { sha256 = '', pageSizes = [] } = papers.find((paper) => paper.id === each.id) ?? {};
      return { ...each, sha256, pageSizes };
    }),
  };
  await writeAtOnce(tx, [
    incomeChecksOf(scope, tx).keepJudgement(id, key.seal(judgementBinding(id), JSON.stringify(kept))),
  ]);
}
