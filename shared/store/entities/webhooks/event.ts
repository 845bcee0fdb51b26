import { defineEntity, p } from '@mikro-orm/core';
import type { Environment } from '#contract/enums.ts';
import { bytes, createdAt } from '../columns.ts';
import { Organisation } from '../organisations/organisation.ts';
import { Verification } from '../verifications/verification.ts';

/** An event (specification 6.1). `body` holds the bytes that every attempt sends. */
export const Event = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    id: p.text().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    environment: p.text().$type<Environment>(),
    type: p.text(),
    verificationId: () => p.manyToOne(Verification).mapToPk().joinColumn('verification_id').nullable(),
    /** Null after housekeeping has deleted the body of an old event that has no open delivery. */
    body: bytes().nullable(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'events_verification_type', properties: ['verificationId', 'type'] }],
  indexes: [
    {
      name: 'events_with_body',
      expression: 'create index "events_with_body" on "events" ("created_at") where (body is not null)',
    },
  ],
});
