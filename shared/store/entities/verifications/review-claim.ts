import { defineEntity, p } from '@mikro-orm/core';
import type { Environment } from '#contract/enums.ts';
import { createdAt, instant } from '../columns.ts';
import { Organisation } from '../organisations/organisation.ts';
import { Verification } from './verification.ts';

/** The member who works on a verification of the review queue. The primary key lets nobody else hold it until `expiresAt`. */
export const ReviewClaim = defineEntity({
  name: 'ReviewClaim',
  tableName: 'review_claims',
  properties: {
    verificationId: () =>
      p.manyToOne(Verification).mapToPk().joinColumn('verification_id').deleteRule('cascade').primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    environment: p.text().$type<Environment>(),
    memberId: p.text(),
    claimedAt: createdAt(),
    expiresAt: instant(),
  },
});
