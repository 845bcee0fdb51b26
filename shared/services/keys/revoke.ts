import { writeAtOnce } from '#store/database/statements.ts';
import { lockKey, markRevoked } from '#store/organisations/keys.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../ledger/append.ts';

/** Returns false if the organisation has no key with this id, or if the key was already revoked. */
export async function revokeKey(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { id }: { id: string },
): Promise<boolean> {
  assertMay(caller, 'keys.change');
  const { scope, actor } = caller;
  return store.transaction(async (tx) => {
    const key = await lockKey(scope, tx, id);
    if (key === undefined || key.revokedAt !== null) return false;
    const line = await nextLine(tx, scope, {
      ...{ subjectId: id, type: 'key.revoked', actor, data: {}, at: key.now },
    });
    await writeAtOnce(tx, [markRevoked(tx, id), ...line]);
    return true;
  });
}
