import { defineEntity, p } from '@mikro-orm/core';
import type { Environment } from '#contract/enums.ts';
import { bytes, createdAt } from './columns.ts';
import { Organisation } from './organisation.ts';
import { Verification } from './verification.ts';

/** Specification 6.1. `body` is frozen as bytes when the event is written: every attempt sends exactly these. */
export const Event = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    id: p.text().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    environment: p.text().$type<Environment>(),
    type: p.text(),
    verificationId: () => p.manyToOne(Verification).mapToPk().joinColumn('verification_id').nullable(),
    body: bytes(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'events_verification_type', properties: ['verificationId', 'type'] }],
});
