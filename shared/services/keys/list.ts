import type { Db } from '#store/connection.ts';
import { keysOfOrganisation } from '#store/keys.ts';
import type { OrgScope } from '#store/scope.ts';
import type { Context } from '../context.ts';

const listedMax = 500;

/** A key of an organisation, as a list shows it: never the key itself. */
export type ListedKey = Awaited<ReturnType<typeof keysOfOrganisation>>[number] & { state: KeyState };

/** A replaced key works until its overlap ends. After that it is `expired`. */
export type KeyState = 'valid' | 'replaced' | 'expired' | 'revoked';

/** The keys of both environments of the organisation, newest first. */
export async function listKeysOf(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  scope: OrgScope,
  db: Db = store.db,
): Promise<ListedKey[]> {
  const now = clock.now();
  const rows = await keysOfOrganisation(scope, db, listedMax);
  return rows.map((row) => ({ ...row, state: stateOf(row, now) }));
}

type Row = { revokedAt: Date | null; expiresAt: Date | null; replacedBy: string | null };

function stateOf({ revokedAt, expiresAt, replacedBy }: Row, now: Date): KeyState {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return replacedBy === null ? 'valid' : 'replaced';
}
