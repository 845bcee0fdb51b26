import { defineEntity, p } from '@mikro-orm/core';
import type { MemberLinkKind } from '#contract/members.ts';
import { bytes, createdAt, instant } from '../columns.ts';
import { Organisation } from '../organisations/organisation.ts';
import { Member } from './member.ts';

/** A link that lets somebody set a password once. A member has at most one. The token itself is stored nowhere. */
export const MemberLink = defineEntity({
  name: 'MemberLink',
  tableName: 'member_links',
  properties: {
    memberId: () => p.manyToOne(Member).mapToPk().joinColumn('member_id').primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    kind: p.text().$type<MemberLinkKind>(),
    /** The member who made the link. Null if the operator did. */
    madeBy: p.uuid().nullable(),
    tokenHash: bytes().unique(),
    createdAt: createdAt(),
    expiresAt: instant(),
  },
});
