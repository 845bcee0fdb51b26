import { type NotNull, sql } from 'kysely';
import type { Language } from '#contract/enums.ts';
import type { ConsoleRole, MemberLinkKind } from '#contract/members.ts';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';
import { transactionTime } from '../database/statements.ts';

const columns = [
  ...(['members.id', 'members.orgId', 'email', 'role', 'language', 'timeZone'] as const),
  ...(['members.createdAt', 'joinedAt', 'disabledAt'] as const),
] as const;
const hasSecondFactor = sql<boolean>`totp_secret is not null`.as('hasSecondFactor');
const lastSeenAt = sql<Date | null>`(
  select last_seen_at from member_sessions where member_id = members.id order by created_at desc limit 1
)`.as('lastSeenAt');
const linkExpiresAt = sql<Date | null>`(select expires_at from member_links where member_id = members.id)`.as(
  'linkExpiresAt',
);

type NewLink = { kind: MemberLinkKind; tokenHash: Buffer; expiresAt: Date; madeBy: string | null };

type Change = {
  role?: ConsoleRole;
  passwordHash?: string | null;
  letInBy?: string | null;
  totpSecret?: Buffer | null;
  totpStep?: number | null;
  language?: Language;
  timeZone?: string | null;
  hasShortcuts?: boolean;
  joinedAt?: Date;
  disabledAt?: Date | null;
  /** An address is never replaced by another one. */
  email?: null;
};

/** The members of an organisation, without those who were removed. They belong to both of its environments. */
export const membersOf = ({ orgId }: OrgScope, db: Db) => {
  const ofOrganisation = db
    .selectFrom('members')
    .where('members.orgId', '=', orgId)
    .where('email', 'is not', null);
  return {
    /** Locks the organisation, whose chain of the ledger records every change of its members, and tells the time. */
    lockOrganisation: () =>
      db
        .selectFrom('organisations')
        .select(['id', 'name', transactionTime])
        .where('id', '=', orgId)
        .forNoKeyUpdate()
        .executeTakeFirstOrThrow(),

    /** All members, oldest first, with the last use of any of their sessions. */
    list: (limit: number) =>
      ofOrganisation
        .select([...columns, hasSecondFactor, lastSeenAt, linkExpiresAt])
        .$narrowType<{ email: NotNull }>()
        .orderBy('members.createdAt')
        .limit(limit)
        .execute(),

    find: (id: string) =>
      ofOrganisation
        .select([...columns, hasSecondFactor])
        .where('id', '=', id)
        .$narrowType<{ email: NotNull }>()
        .executeTakeFirst(),

    findByEmail: (email: string) =>
      ofOrganisation.select(columns).where('email', '=', email).executeTakeFirst(),

    /** Locks the row, so that no code and no link is used twice. */
    lockSecrets: (id: string) =>
      ofOrganisation
        .select(['id', 'role', 'passwordHash', 'totpSecret', 'totpStep', 'disabledAt', transactionTime])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst(),

    /** The owners who can sign in, but for this one. */
    otherOwners: (id: string) =>
      ofOrganisation
        .select('id')
        .where('role', '=', 'owner')
        .where('joinedAt', 'is not', null)
        .where('disabledAt', 'is', null)
        .where('id', '<>', id)
        .limit(1)
        .execute(),
  };
};

/** Those who ever were members, also those who were removed. */
export const findEver = ({ orgId }: OrgScope, db: Db, limit: number) =>
  db.selectFrom('members').select('id').where('orgId', '=', orgId).limit(limit).execute();

/**
 * Which member invited, reset or gave a role to which other one within the last `days`, by the lines of the organisation. The product
 * can change a row of a member, and no line.
 */
export async function findAccessGiven(
  { orgId }: OrgScope,
  db: Db,
  days: number,
): Promise<{ to: string; by: string }[]> {
  const { rows } = await sql<{ to: string; by: string }>`
    select "to", "by" from (
      select data ->> 'member_id' as "to",
        case type when 'member.role_changed' then data -> 'actor' ->> 'id' else data ->> 'let_in_by' end as "by"
      from ledger
      where subject_id = ${orgId} and org_id = ${orgId} and data -> 'actor' ->> 'kind' = 'member'
        and type in ('member.joined', 'member.reset', 'member.role_changed')
        and created_at > now() - ${days} * interval '1 day') as given
    where "to" is not null and "by" is not null and "to" <> "by"`.execute(db);
  return rows;
}

/** Builds the writes of members. */
export const memberWritesOf = ({ orgId }: OrgScope, db: Db) => ({
  insert: (member: { id: string; email: string; role: ConsoleRole }) =>
    db.insertInto('members').values({ ...member, orgId }),

  change: (id: string, values: Change) =>
    db.updateTable('members').set(values).where('id', '=', id).where('orgId', '=', orgId),
});

/** The ways in that belong to one member: the link, and the recovery codes. */
export const waysInOf = ({ orgId }: OrgScope, db: Db, memberId: string) => ({
  /** Replaces the link of the member. */
  keepLink: (link: NewLink) =>
    db
      .insertInto('member_links')
      .values({ ...link, memberId, orgId })
      .onConflict((conflict) => conflict.column('memberId').doUpdateSet({ ...link, createdAt: sql`now()` })),

  dropLink: () => db.deleteFrom('member_links').where('memberId', '=', memberId).where('orgId', '=', orgId),

  recoveryCodesLeft: async (): Promise<number> => {
    const rows = await db
      .selectFrom('member_recovery_codes')
      .select('codeHash')
      .where('memberId', '=', memberId)
      .where('orgId', '=', orgId)
      .execute();
    return rows.length;
  },

  keepRecoveryCodes: (hashes: readonly Buffer[]) =>
    db.insertInto('member_recovery_codes').values(hashes.map((codeHash) => ({ memberId, orgId, codeHash }))),

  dropRecoveryCodes: () =>
    db.deleteFrom('member_recovery_codes').where('memberId', '=', memberId).where('orgId', '=', orgId),

  /** Returns false if there is no such code, or if it was used. */
  useRecoveryCode: async (codeHash: Buffer): Promise<boolean> => {
    const { numDeletedRows } = await db
      .deleteFrom('member_recovery_codes')
      .where('memberId', '=', memberId)
      .where('orgId', '=', orgId)
      .where('codeHash', '=', codeHash)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  },
});

/** Somebody who signs in names no organisation, so all are searched. Those who were members first come first. */
export const signInsOfAnyOrganisation = (db: Db, email: string, limit: number) =>
  db
    .selectFrom('members')
    .innerJoin('organisations', 'organisations.id', 'members.orgId')
    .select(['members.id', 'members.orgId', 'members.role', 'members.passwordHash'])
    .select([
      sql<boolean>`totp_secret is not null`.as('hasSecondFactor'),
      'organisations.name as organisation',
    ])
    .where('members.email', '=', email)
    .where('members.passwordHash', 'is not', null)
    .$narrowType<{ passwordHash: NotNull }>()
    .where('members.disabledAt', 'is', null)
    .orderBy('members.createdAt')
    .limit(limit)
    .execute();

/** The holder of a link is not signed in, so all organisations are searched. */
export const linkOfAnyOrganisation = (db: Db, tokenHash: Buffer) =>
  db
    .selectFrom('member_links')
    .innerJoin('members', 'members.id', 'member_links.memberId')
    .innerJoin('organisations', 'organisations.id', 'member_links.orgId')
    .select(['member_links.memberId', 'member_links.orgId', 'member_links.kind', 'member_links.expiresAt'])
    .select('member_links.madeBy')
    .select(['members.email', 'members.role', 'members.disabledAt', 'organisations.name as organisation'])
    .where('member_links.tokenHash', '=', tokenHash)
    .where('members.email', 'is not', null)
    .$narrowType<{ email: NotNull }>()
    .executeTakeFirst();

/** A line of the ledger about a member, which is in the chain of the organisation. */
export type MemberLine = { type: string; data: Record<string, unknown> };

export type MemberState = {
  id: string;
  role: string;
  hasJoined: boolean;
  isDisabled: boolean;
  isRemoved: boolean;
};

/** Returns organisations in the order of their ids, each with its members and with what its chain says about members. */
export const membersWithHistoryOfAnyOrganisation = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('organisations')
    .select('id')
    .select([
      sql<MemberState[]>`array(
        select json_build_object('id', id, 'role', role, 'hasJoined', joined_at is not null, 'isDisabled', disabled_at is not null,
          'isRemoved', email is null)
        from members where org_id = organisations.id)`.as('members'),
      sql<MemberLine[]>`array(
        select json_build_object('type', type, 'data', data) from ledger
        where subject_id = organisations.id and type like 'member.%' order by sequence)`.as('lines'),
    ])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
