import type { VerificationStatus } from '#contract/enums.ts';
import { noLink } from '#services/views/link.ts';
import type { Texts } from '../texts/texts.ts';

type Stateful = {
  status: VerificationStatus;
  cancelledAt: Date | null;
  submittedAt: Date | null;
  linkExpiresAt: Date;
  linkVersion: number;
};

/** What became of a verification. The status of the API has no word for one that was cancelled, or whose link ended before anything was sent. */
export function stateInWords(
  { verifications: t }: Pick<Texts, 'verifications'>,
  row: Stateful,
  now: Date,
): string {
  if (row.status === 'completed') return t.statuses.completed;
  if (row.cancelledAt !== null) return t.cancelled;
  const hasEnded = row.linkVersion !== noLink && row.submittedAt === null && row.linkExpiresAt <= now;
  return hasEnded ? t.expired : t.statuses[row.status];
}
