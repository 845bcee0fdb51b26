import type { Verification } from '#contract/verification.ts';
import { type ReasonId, reasonText } from '#policy/reasons.ts';
import type { ChosenVerification, VerdictInShort } from '#store/verifications/verifications.ts';
import type { Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { verifyUrl } from './link.ts';

/** A verification as partners receive it (specification 2.1). The sender of the answer validates it against its schema. */
export const verificationView = (
  ctx: Pick<Context, 'secrets' | 'publicUrl'>,
  row: ChosenVerification,
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

/**
 * A verification as a key reads it. Whoever holds the link can go on in the person's place, so a key that may only read gets the address
 * of the page without the part that opens it. The field stays a URI, because the specification (2.1) has no null for it.
 */
export function readView(
  ctx: Pick<Context, 'secrets' | 'publicUrl'>,
  { rights }: Pick<Caller, 'rights'>,
  row: ChosenVerification,
): Verification {
  const view = verificationView(ctx, row);
  return rights.has('verifications.change') ? view : { ...view, verify_url: `${ctx.publicUrl}/verify` };
}

const verdictView = (verdict: VerdictInShort) => ({
  outcome: verdict.outcome,
  assurance_level: verdict.assuranceLevel,
  reasons: reasonTexts(verdict),
  reviewed: verdict.reviewed,
});

export const reasonTexts = ({ reasonIds }: VerdictInShort): string[] =>
  reasonIds.map((id) => reasonText(id as ReasonId));
