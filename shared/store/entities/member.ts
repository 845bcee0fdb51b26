import { defineEntity, p } from '@mikro-orm/core';
import type { Language } from '#contract/enums.ts';
import type { MemberRole } from '#contract/members.ts';
import { bytes, createdAt, instant } from './columns.ts';
import { Organisation } from './organisation.ts';

/**
 * A person who may sign in to the console for one organisation. Somebody who works for two organisations is two members with two
 * passwords, so that the owner of one organisation can never reset the way into another.
 */
export const Member = defineEntity({
  name: 'Member',
  tableName: 'members',
  properties: {
    id: p.uuid().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    /** In lower case. */
    email: p.text(),
    role: p.text().$type<MemberRole>(),
    /** Null until the invitation is accepted. */
    passwordHash: p.text().nullable(),
    /** The secret of the authenticator app, encrypted. */
    totpSecret: bytes().nullable(),
    /** The step of the last code that was accepted. A code works once. */
    totpStep: p.integer().nullable(),
    language: p.text().$type<Language>().default('nl'),
    /** A name of the IANA database. Null: UTC. */
    timeZone: p.text().nullable(),
    createdAt: createdAt(),
    joinedAt: instant().nullable(),
    disabledAt: instant().nullable(),
  },
  uniques: [{ name: 'members_email', properties: ['email', 'orgId'] }],
  indexes: [
    {
      name: 'members_of_organisation',
      expression: 'create index "members_of_organisation" on "members" ("org_id", "created_at")',
    },
  ],
});
