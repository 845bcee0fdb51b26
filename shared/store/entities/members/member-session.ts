import { defineEntity, p } from '@mikro-orm/core';
import { bytes, createdAt, instant } from '../columns.ts';
import { Organisation } from '../organisations/organisation.ts';
import { Member } from './member.ts';

/** A browser in which a member is signed in. The token itself is in the cookie alone. */
export const MemberSession = defineEntity({
  name: 'MemberSession',
  tableName: 'member_sessions',
  properties: {
    id: p.uuid().primary(),
    memberId: () => p.manyToOne(Member).mapToPk().joinColumn('member_id'),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    tokenHash: bytes().unique(),
    /** False while only the password was given and the second factor is still asked for. */
    isFull: p.boolean(),
    userAgent: p.text(),
    address: p.text(),
    createdAt: createdAt(),
    /** Accurate to a minute. */
    lastSeenAt: instant(),
    expiresAt: instant(),
  },
  indexes: [
    {
      name: 'member_sessions_over',
      expression: 'create index "member_sessions_over" on "member_sessions" ("org_id", "expires_at")',
    },
    {
      name: 'member_sessions_of_member',
      expression: 'create index "member_sessions_of_member" on "member_sessions" ("member_id", "created_at")',
    },
  ],
});
