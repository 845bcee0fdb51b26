import { sql } from 'kysely';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';
import { transactionTime } from '../database/statements.ts';

type NewPasskey = { id: string; credentialId: Buffer; publicKey: Buffer; counter: number; name: string };

/** A sign-in. `challengeAt` is the time at which its challenge was made. */
type PasskeyUse = { counter: number; challengeAt: Date; at: Date };

/** Postgres gives a bigint as text. A counter has 32 bits, so a number holds it. */
const counter = sql<number>`counter::float8`.as('counter');

/** The passkeys of one member. */
export const passkeysOf = ({ orgId }: OrgScope, db: Db, memberId: string) => {
  const own = db.selectFrom('member_passkeys').where('memberId', '=', memberId).where('orgId', '=', orgId);
  const changed = (id: string) =>
    db
      .updateTable('member_passkeys')
      .where('id', '=', id)
      .where('memberId', '=', memberId)
      .where('orgId', '=', orgId);
  const dropped = () =>
    db.deleteFrom('member_passkeys').where('memberId', '=', memberId).where('orgId', '=', orgId);
  return {
    /** All passkeys, oldest first. */
    list: (limit: number) =>
      own
        .select(['id', 'credentialId', 'name', 'createdAt', 'lastUsedAt', 'blockedAt'])
        .orderBy('createdAt')
        .limit(limit)
        .execute(),

    /** Locks the row, so that no challenge is used twice, and tells the time. */
    lock: (id: string) =>
      own
        .select(['challengeAt', 'blockedAt', counter, transactionTime])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst(),

    /** Returns false if somebody has registered this key before. */
    insert: async (passkey: NewPasskey): Promise<boolean> => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('member_passkeys')
        .values({ ...passkey, memberId, orgId })
        .onConflict((conflict) => conflict.column('credentialId').doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    /** Builds the write that notes a sign-in. */
    used: (id: string, { counter, challengeAt, at }: PasskeyUse) =>
      changed(id).set({ counter, challengeAt, lastUsedAt: at }),

    /** Returns false if it is blocked already, or removed. */
    block: async (id: string, at: Date): Promise<boolean> => {
      const { numUpdatedRows } = await changed(id)
        .set({ blockedAt: at })
        .where('blockedAt', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /** Returns false if the member has no such passkey. */
    drop: async (id: string): Promise<boolean> => {
      const { numDeletedRows } = await dropped().where('id', '=', id).executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },

    /** Builds the write that removes all of them. */
    dropAll: dropped,
  };
};

/** Somebody who signs in names no organisation: the device names the key, and a key belongs to one member. */
export const passkeyOfAnyOrganisation = (db: Db, credentialId: Buffer) =>
  db
    .selectFrom('member_passkeys')
    .innerJoin('members', 'members.id', 'member_passkeys.memberId')
    .select(['member_passkeys.id', 'member_passkeys.memberId', 'member_passkeys.orgId'])
    .select(['credentialId', 'publicKey', 'members.disabledAt'])
    .where('credentialId', '=', credentialId)
    .executeTakeFirst();
