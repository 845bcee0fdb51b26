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

/** True if it was cancelled, or if its link ended before anything was sent. Then no verdict comes, unless somebody gets a fresh link. */
export const hasEnded = (
  { cancelledAt, linkVersion, submittedAt, linkExpiresAt }: Omit<Stateful, 'status'>,
  now: Date,
): boolean =>
  cancelledAt !== null || (linkVersion !== noLink && submittedAt === null && linkExpiresAt <= now);

/** What became of a verification. The status of the API has no word for one that ended without a verdict. */
export function stateInWords(
  { verifications: t }: Pick<Texts, 'verifications'>,
  row: Stateful,
  now: Date,
): string {
  if (row.status === 'completed') return t.statuses.completed;
  if (row.cancelledAt !== null) return t.cancelled;
  return hasEnded(row, now) ? t.expired : t.statuses[row.status];
}
