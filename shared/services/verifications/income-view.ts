import type { IncomeCheckKind } from '#contract/enums.ts';
import type { IncomeCheck } from '#contract/income-check.ts';
import type { Decision } from '#contract/workflows.ts';
import { sha256Hex, uuidAbout } from '#platform/crypto.ts';
import { aboutAll, sandboxDocument, sandboxIncome } from '#policy/income-sandbox.ts';
import type { IncomeCheckRow } from '#store/income-checks.ts';
import type { CallerContext, Context } from '../context.ts';
import { verifyUrl } from './link.ts';
import { reasonTexts } from './view.ts';

/** An income check as partners receive it. The sender of the answer validates it against its schema. */
export function incomeCheckView(
  ctx: Pick<Context, 'secrets' | 'publicUrl'>,
  row: IncomeCheckRow,
): IncomeCheck {
  const documents = row.verdict !== null && row.environment === 'sandbox' ? [demonstrated(row.id)] : [];
  return {
    id: row.id,
    object: 'income_check',
    status: row.status,
    environment: row.environment,
    reference: row.reference,
    verification_id: row.linkedId,
    upload_url: verifyUrl(ctx, row),
    documents,
    result: documents.length > 0 ? sandboxIncome : null,
    verdict: row.verdict === null ? null : verdictView(row.verdict, documents[0]?.id ?? null),
    dossier_ref: row.dossierRef,
    created_at: row.createdAt.toISOString(),
  };
}

/** Whoever holds the link can go on in the person's place, so a key that may only read does not get it. */
export const readIncomeView = (
  ctx: Pick<CallerContext, 'secrets' | 'publicUrl' | 'grants'>,
  row: IncomeCheckRow,
): IncomeCheck => {
  const view = incomeCheckView(ctx, row);
  return ctx.grants.includes('verify:create') ? view : { ...view, upload_url: null };
};

/** The same for the same income check, each time. */
function demonstrated(id: string): IncomeCheck['documents'][number] {
  const { type, pages, ...dates } = sandboxDocument;
  const sha256 = sha256Hex(`a document of sandbox, ${id}`);
  return { id: uuidAbout(id, 'document'), object: 'income_document', type, sha256, pages, ...dates };
}

/** A check of sandbox names no document, since it is the same for every income check. */
const verdictView = (verdict: Decision, documentId: string | null): NonNullable<IncomeCheck['verdict']> => ({
  outcome: verdict.outcome,
  reasons: reasonTexts(verdict),
  reviewed: verdict.reviewed,
  checks: verdict.checks.map((check) => {
    const kind = check.kind as IncomeCheckKind;
    return {
      ...{ kind, result: check.result, confidence: check.confidence },
      document_id: check.documentId ?? (aboutAll.includes(kind) ? null : documentId),
    };
  }),
});
