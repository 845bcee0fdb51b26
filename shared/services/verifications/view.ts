import type { Verification } from '#contract/verification.ts';
import { type ReasonId, reasonText } from '#policy/reasons.ts';
import type { VerdictInShort, ViewedVerification } from '#store/verifications.ts';
import type { Context } from '../context.ts';
import { verifyUrl } from './link.ts';

/** A verification as partners receive it (specification 2.1). The sender of the answer validates it against its schema. */
export const verificationView = (
  ctx: Pick<Context, 'secrets' | 'publicUrl'>,
  row: ViewedVerification,
): Verification => ({
  id: row.id,
  object: 'verification',
  status: row.status,
  environment: row.environment,
  method: row.method,
  reference: row.reference,
  verify_url: verifyUrl(ctx, row),
  verdict: row.verdict === null ? null : verdictView(row.verdict),
  dossier_ref: row.dossierRef,
  created_at: row.createdAt.toISOString(),
});

const verdictView = (verdict: VerdictInShort) => ({
  outcome: verdict.outcome,
  assurance_level: verdict.assuranceLevel,
  reasons: reasonTexts(verdict),
  reviewed: verdict.reviewed,
});

export const reasonTexts = ({ reasonIds }: VerdictInShort): string[] =>
  reasonIds.map((id) => reasonText(id as ReasonId));
