import { defineEntity, p } from '@mikro-orm/core';
import type { Environment, Grant } from '#contract/enums.ts';
import { operatorsId } from '#contract/members.ts';
import { bytes, createdAt, instant } from '../columns.ts';
import { Organisation } from './organisation.ts';

/** The key itself is not stored, only its SHA-256 (specification 5.3) and a shortened key for lists (`display`). */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p.uuid().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    environment: p.text().$type<Environment>(),
    name: p.text().nullable(),
    display: p.text(),
    hash: bytes().unique(),
    grants: p.array().$type<Grant[]>(),
    rateLimit: p.integer().nullable(),
    createdAt: createdAt(),
    expiresAt: instant().nullable(),
    revokedAt: instant().nullable(),
    /** The id of the successor that `keys rotate` created. */
    replacedBy: p.uuid().nullable(),
    /** The time of the last use, accurate to a minute. */
    lastUsedAt: instant().nullable(),
  },
  checks: [{ name: 'api_keys_operators', expression: `org_id <> '${operatorsId}'` }],
  indexes: [
    {
      name: 'api_keys_of_organisation',
      expression: 'create index "api_keys_of_organisation" on "api_keys" ("org_id", "created_at")',
    },
  ],
});
