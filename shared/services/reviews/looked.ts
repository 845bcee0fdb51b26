import type { StoredKind } from '#contract/enums.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { type LedgerRow, ledgerOf } from '#store/ledger.ts';
import type { Actor } from '../ledger/append.ts';
import type { OpenReview } from './open.ts';
import { ReviewRefused } from './refused.ts';

/**
 * Throws `not_looked` unless the member was shown everything that is stored, since the member's newest claim. The chain says so. The
 * specimens of sandbox are nobody's evidence, so nothing of them has to be seen.
 */
export async function requireLook(
  tx: Db,
  scope: OrgScope,
  memberId: string,
  { id, kinds, grounds }: Pick<OpenReview, 'id' | 'kinds' | 'grounds'>,
): Promise<void> {
  if (kinds.length === 0 || grounds.basis !== 'evidence') return;
  const own = (await ledgerOf(scope, tx).lines(id)).filter(({ data }) => isBy(memberId, data.actor as Actor));
  const sinceClaim = own.slice(own.findLastIndex(({ type }) => type === 'review.claimed') + 1);
  const seen = new Set(sinceClaim.flatMap(kindsOf));
  if (!kinds.every((kind) => seen.has(kind))) throw new ReviewRefused('not_looked');
}

const isBy = (memberId: string, actor: Actor): boolean => actor.kind === 'member' && actor.id === memberId;

const kindsOf = ({ type, data }: LedgerRow): StoredKind[] =>
  type === 'evidence.viewed' ? (data.kinds as StoredKind[]) : [];
