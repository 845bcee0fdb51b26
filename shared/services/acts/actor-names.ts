import { findEmails, findKeyNames } from '#store/actor-names.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import type { LedgerRow } from '#store/ledger.ts';
import type { Actor } from '../ledger/append.ts';

/** The names of those who did what lines record, by id: the e-mail address of a member, the name of a key. Whoever is gone has none. */
export async function actorNames(
  db: Db,
  scope: OrgScope,
  lines: readonly Pick<LedgerRow, 'data'>[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (kind: Actor['kind']) => {
    const ids = lines.map(({ data }) => data.actor as { kind?: string; id?: string | null } | undefined);
    return [...new Set(ids.flatMap((actor) => (actor?.kind === kind && actor.id ? [actor.id] : [])))];
  };
  const [members, keys] = [idsOf('member'), idsOf('key')];
  const [emails, names] = await Promise.all([
    members.length === 0 ? [] : findEmails(scope, db, members),
    keys.length === 0 ? [] : findKeyNames(scope, db, keys),
  ]);
  return new Map([
    ...emails.map(({ id, email }) => [id, email] as const),
    ...names.map(({ id, name, display }) => [id, name ?? display] as const),
  ]);
}
