import type { Store } from '#store/connection.ts';
import { lockKey, markRevoked } from '#store/keys.ts';
import { scopeOfOperator } from '#store/scope.ts';
import { writeAtOnce } from '#store/statements.ts';
import { nextLine } from '../ledger/append.ts';
import { type KeyChanger, theOperator } from './issue.ts';

/** Returns false if no key has this id, or if the key was already revoked. */
export const revokeKey = (
  store: Store,
  id: string,
  { actor, orgId }: KeyChanger = theOperator,
): Promise<boolean> =>
  store.transaction(async (tx) => {
    const key = await lockKey(tx, id);
    if (key === undefined || key.revokedAt !== null || key.orgId !== (orgId ?? key.orgId)) return false;
    const line = await nextLine(tx, scopeOfOperator(key), {
      subjectId: id,
      type: 'key.revoked',
      actor,
      data: {},
      at: key.now,
    });
    await writeAtOnce(tx, [markRevoked(tx, id), ...line]);
    return true;
  });
