import { defineEntity, p } from '@mikro-orm/core';
import type { Language } from '#contract/enums.ts';
import { type ConsoleRole, operatorsId } from '#contract/members.ts';
import { bytes, createdAt, instant } from '../columns.ts';
import { Organisation } from '../organisations/organisation.ts';

/**
 * A person who may sign in to the console for one organisation, or as an operator. Somebody who works for two organisations is two members with two
 * passwords, so that the owner of one organisation can never reset the way into another.
 */
export const Member = defineEntity({
  name: 'Member',
  tableName: 'members',
  properties: {
    id: p.uuid().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    /** In lower case. Null: the member was removed. The row stays, because it says who let in whom. */
    email: p.text().nullable(),
    role: p.text().$type<ConsoleRole>(),
    /** Null until the invitation is accepted. */
    passwordHash: p.text().nullable(),
    /** The secret of the authenticator app, encrypted. */
    totpSecret: bytes().nullable(),
    /** The step of the last code that was accepted. A code works once. */
    totpStep: p.integer().nullable(),
    language: p.text().$type<Language>().default('nl'),
    /** A name of the IANA database. Null: UTC. */
    timeZone: p.text().nullable(),
    /** False: keys without Ctrl do nothing on a page (WCAG 2.1.4). */
    hasShortcuts: p.boolean().default(true),
    /** The member who made the link with which this one set the password. Null if the operator did. For people: reviews ask the ledger. */
    letInBy: p.uuid().nullable(),
    createdAt: createdAt(),
    joinedAt: instant().nullable(),
    disabledAt: instant().nullable(),
  },
  checks: [{ name: 'members_operators', expression: `(role = 'operator') = (org_id = '${operatorsId}')` }],
  uniques: [{ name: 'members_email', properties: ['email', 'orgId'] }],
  indexes: [
    {
      name: 'members_of_organisation',
      expression: 'create index "members_of_organisation" on "members" ("org_id", "created_at")',
    },
  ],
});
