import { defineEntity, p } from '@mikro-orm/core';
import { bytes } from '../columns.ts';
import { Organisation } from '../organisations/organisation.ts';
import { Member } from './member.ts';

/** The hash of a code that replaces the second factor once. A used code has no row. */
export const MemberRecoveryCode = defineEntity({
  name: 'MemberRecoveryCode',
  tableName: 'member_recovery_codes',
  properties: {
    memberId: () => p.manyToOne(Member).mapToPk().joinColumn('member_id').primary(),
    codeHash: bytes().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
  },
});
