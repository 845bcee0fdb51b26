import { type NotNull, sql } from 'kysely';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';

type NewSession = {
  id: string;
  tokenHash: Buffer;
  isFull: boolean;
  userAgent: string;
  address: string;
  lastSeenAt: Date;
  expiresAt: Date;
};

/** The sessions of one member. */
export const sessionsOf = ({ orgId }: OrgScope, db: Db, memberId: string) => {
  const ended = () =>
    db.deleteFrom('member_sessions').where('memberId', '=', memberId).where('orgId', '=', orgId);
  return {
    list: (limit: number) =>
      db
        .selectFrom('member_sessions')
        .select(['id', 'userAgent', 'address', 'createdAt', 'lastSeenAt', 'expiresAt'])
        .where('memberId', '=', memberId)
        .where('orgId', '=', orgId)
        .where('isFull', '=', true)
        .orderBy('createdAt', 'desc')
        .limit(limit)
        .execute(),

    insert: (session: NewSession) => db.insertInto('member_sessions').values({ ...session, memberId, orgId }),

    seen: async (id: string, lastSeenAt: Date): Promise<void> => {
      await db
        .updateTable('member_sessions')
        .set({ lastSeenAt })
        .where('id', '=', id)
        .where('memberId', '=', memberId)
        .where('orgId', '=', orgId)
        .execute();
    },

    /** False if the session has ended, or was never one of this member. */
    isOpen: async (id: string): Promise<boolean> => {
      const rows = await db
        .selectFrom('member_sessions')
        .select('id')
        .where('id', '=', id)
        .where('memberId', '=', memberId)
        .where('orgId', '=', orgId)
        .execute();
      return rows.length > 0;
    },

    /** Builds the write that ends one session. */
    endOne: (id: string) => ended().where('id', '=', id),

    endAll: ended,

    /** Builds the write that removes the sessions of the whole organisation whose time is over. */
    removeOver: (at: Date) =>
      db.deleteFrom('member_sessions').where('orgId', '=', orgId).where('expiresAt', '<', at),

    /** Returns false if this session has sent the form before, or has ended. */
    useForm: async (sessionId: string, nonce: Buffer): Promise<boolean> => {
      const used = await db
        .insertInto('used_forms')
        .columns(['sessionId', 'nonce'])
        .expression(formOf({ id: sessionId, memberId, orgId }, nonce, db))
        .onConflict((conflict) => conflict.columns(['sessionId', 'nonce']).doNothing())
        .returning('sessionId')
        .execute();
      return used.length > 0;
    },
  };
};

/** One row as long as the session is there. A session that is about to end is waited for. */
const formOf = (session: Record<'id' | 'memberId' | 'orgId', string>, nonce: Buffer, db: Db) =>
  db
    .selectFrom('member_sessions')
    .select(['id', sql<Buffer>`${nonce}::bytea`.as('nonce')])
    .where('id', '=', session.id)
    .where('memberId', '=', session.memberId)
    .where('orgId', '=', session.orgId)
    .forKeyShare();

/** The browser has only a token, so the sessions of all organisations are searched. */
export const sessionOfAnyOrganisation = (db: Db, tokenHash: Buffer) =>
  db
    .selectFrom('member_sessions')
    .innerJoin('members', 'members.id', 'member_sessions.memberId')
    .innerJoin('organisations', 'organisations.id', 'member_sessions.orgId')
    .select(['member_sessions.id', 'member_sessions.memberId', 'member_sessions.orgId', 'isFull'])
    .select([
      'lastSeenAt',
      'expiresAt',
      'members.email',
      'members.role',
      'members.language',
      'members.timeZone',
      'members.hasShortcuts',
    ])
    .select(['members.disabledAt', 'organisations.name as organisation'])
    .select(sql<boolean>`totp_secret is not null`.as('hasSecondFactor'))
    .where('member_sessions.tokenHash', '=', tokenHash)
    .where('members.email', 'is not', null)
    .$narrowType<{ email: NotNull }>()
    .executeTakeFirst();
