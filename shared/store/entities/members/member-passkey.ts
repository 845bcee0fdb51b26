import { defineEntity, p } from '@mikro-orm/core';
import { bytes, createdAt, instant } from '../columns.ts';
import { Organisation } from '../organisations/organisation.ts';
import { Member } from './member.ts';

/** The public half of a key that a device of a member holds, with which the member signs in. */
export const MemberPasskey = defineEntity({
  name: 'MemberPasskey',
  tableName: 'member_passkeys',
  properties: {
    id: p.uuid().primary(),
    memberId: () => p.manyToOne(Member).mapToPk().joinColumn('member_id'),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    /** The name that the device has for the key. */
    credentialId: bytes().unique(),
    /** In the format of COSE (RFC 9052). */
    publicKey: bytes(),
    /** The number of uses as the device counted them at the last sign-in. Always 0 if the device does not count. */
    counter: p.bigint('number'),
    /** The member's own name for the device. */
    name: p.text(),
    createdAt: createdAt(),
    lastUsedAt: instant().nullable(),
    /** The time at which the challenge of the last sign-in was made. An older challenge is never accepted again. */
    challengeAt: instant().nullable(),
    /** Set when the counter showed that a second device has the key. */
    blockedAt: instant().nullable(),
  },
  indexes: [
    {
      name: 'member_passkeys_of_member',
      expression: 'create index "member_passkeys_of_member" on "member_passkeys" ("member_id", "created_at")',
    },
  ],
});
