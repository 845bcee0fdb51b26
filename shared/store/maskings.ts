import { type OriginalKind, originalKinds } from '#contract/enums.ts';
import type { Db } from './connection.ts';
import type { OrgScope } from './scope.ts';

/** The maskings of the document of one verification. */
export const maskingsOf = ({ orgId, environment }: OrgScope, db: Db, verificationId: string) => ({
  /** Counts a masking before it begins. Returns its number, from 1 on. */
  async begin(): Promise<number> {
    const { maskingsBegun } = await db
      .updateTable('verifications')
      .set((eb) => ({ maskingsBegun: eb('maskingsBegun', '+', 1) }))
      .where('id', '=', verificationId)
      .where('orgId', '=', orgId)
      .where('environment', '=', environment)
      .returning('maskingsBegun')
      .executeTakeFirstOrThrow();
    return maskingsBegun;
  },

  /** The pictures of the document as the person handed them in, as far as they are still there. */
  originals: () =>
    db
      .selectFrom('evidence')
      .select(['kind', 'sha256', 'expiresAt'])
      .where('verificationId', '=', verificationId)
      .where('orgId', '=', orgId)
      .where('environment', '=', environment)
      .where('kind', 'in', originalKinds)
      .$narrowType<{ kind: OriginalKind }>()
      .orderBy('kind')
      .execute(),
});
