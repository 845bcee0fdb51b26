import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';

/** The data keys of an organisation's verifications, encrypted. */
export const dataKeysOf = ({ orgId }: OrgScope, db: Db) => ({
  async find(verificationId: string): Promise<Buffer | undefined> {
    const found = await db
      .selectFrom('data_keys')
      .select('value')
      .where('verificationId', '=', verificationId)
      .where('orgId', '=', orgId)
      .executeTakeFirst();
    return found?.value;
  },

  /** Builds the write of a new key. */
  insert: (verificationId: string, value: Buffer) =>
    db.insertInto('data_keys').values({ verificationId, orgId, value }),

  /** Builds the write that destroys the key. */
  destroy: (verificationId: string) =>
    db.deleteFrom('data_keys').where('verificationId', '=', verificationId).where('orgId', '=', orgId),
});
