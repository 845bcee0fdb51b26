import type { IncomeCheckKind } from '#contract/enums.ts';
import type { IncomeCheck } from '#contract/income/check.ts';
import type { Decision } from '#contract/workflows.ts';
import { sha256Hex, uuidAbout } from '#platform/crypto/crypto.ts';
import { aboutAll, sandboxDocument, sandboxIncome } from '#policy/verdicts/income-sandbox.ts';
import type { IncomeCheckRow } from '#store/verifications/income-checks.ts';
import type { Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { openJudgement } from '../personal/papers.ts';
import { noLink, verifyUrl } from './link.ts';
import { reasonTexts } from './view.ts';

/** An income check as partners receive it. The sender of the answer validates it against its schema. */
export function incomeCheckView(
  ctx: Pick<Context, 'secrets' | 'publicUrl'>,
  row: IncomeCheckRow,
): IncomeCheck {
  const { documents, result } = incomeFound(ctx, row);
  return {
    id: row.id,
    object: 'income_check',
    status: row.status,
    environment: row.environment,
    reference: row.reference,
    verification_id: row.linkedId,
    upload_url: row.linkVersion === noLink ? null : verifyUrl(ctx, row),
    documents,
    result,
    verdict:
      row.verdict === null
        ? null
        : verdictView(row.verdict, row.environment === 'sandbox' ? (documents[0]?.id ?? null) : null),
    dossier_ref: row.dossierRef,
    created_at: row.createdAt.toISOString(),
  };
}

/** Whoever holds the link can go on in the person's place, so a key that may only read does not get it. */
export const readIncomeView = (
  ctx: Pick<Context, 'secrets' | 'publicUrl'>,
  { rights }: Pick<Caller, 'rights'>,
  row: IncomeCheckRow,
): IncomeCheck => {
  const view = incomeCheckView(ctx, row);
  return rights.has('verifications.change') ? view : { ...view, upload_url: null };
};

type Found = Pick<IncomeCheck, 'documents' | 'result'>;

const nothing: Found = { documents: [], result: null };

/** What the documents say. Before the verdict only which they are, as soon as they were sent. Nothing after an erasure. */
export function incomeFound(ctx: Pick<Context, 'secrets'>, row: IncomeCheckRow): Found {
  if (row.environment === 'sandbox')
    return row.verdict === null ? nothing : { documents: [demonstrated(row.id)], result: sandboxIncome };
  const judged = row.verdict === null ? undefined : openJudgement(ctx, row);
  if (judged === undefined) return { documents: row.papers.map(unread), result: null };
  const { result } = judged;
  return {
    documents: judged.documents.map((each) => ({
      ...{ id: each.id, object: 'income_document', type: each.type, sha256: each.sha256, pages: each.pages },
      ...{ issued_on: each.issuedOn, period_start: each.periodStart, period_end: each.periodEnd },
    })),
    result: result && {
      ...{ currency: result.currency, employer_name: result.employerName },
      ...{ period_start: result.periodStart, period_end: result.periodEnd },
      ...{ gross_cents: result.grossCents, net_cents: result.netCents },
      annual_gross_estimate_cents: result.annualGrossEstimateCents,
      pay_frequency: result.payFrequency,
    },
  };
}

const unread = ({ id, sha256 }: IncomeCheckRow['papers'][number]): IncomeCheck['documents'][number] => ({
  ...{ id, object: 'income_document', type: null, sha256, pages: null },
  ...{ issued_on: null, period_start: null, period_end: null },
});

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
