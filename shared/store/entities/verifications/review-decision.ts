import { defineEntity, p } from '@mikro-orm/core';
import type { Environment, ReviewOutcome } from '#contract/enums.ts';
import { bytes, createdAt, instant } from '../columns.ts';
import { Organisation } from '../organisations/organisation.ts';
import { Verification } from './verification.ts';

/**
 * What a member decided about a verification. The row is stored first, and its id is the id of the order to the workflow, which carries
 * it out. So nobody can decide through Temporal. A member decides once, and the row goes if the
 * decision is taken back before it is due.
 */
export const ReviewDecision = defineEntity({
  name: 'ReviewDecision',
  tableName: 'review_decisions',
  properties: {
    id: p.uuid().primary(),
    verificationId: () =>
      p.manyToOne(Verification).mapToPk().joinColumn('verification_id').deleteRule('cascade'),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    environment: p.text().$type<Environment>(),
    memberId: p.text(),
    /** Decisions about a verification are numbered from 1. */
    number: p.smallint(),
    /** How many members had to agree when the first decision was stored. */
    eyes: p.smallint(),
    outcome: p.text().$type<ReviewOutcome>(),
    reasonIds: p.array().$type<string[]>(),
    /** What the member wrote for colleagues, sealed. Null if nothing, and after an erasure. */
    note: bytes().nullable(),
    /** True if this decision ends the review. */
    concludes: p.boolean(),
    /** The time at which the verification came into the queue. */
    queuedAt: instant(),
    /** The claim that the member had, as proof that it was theirs when the decision was stored. */
    claimedAt: instant(),
    claimedUntil: instant(),
    createdAt: createdAt(),
    /** It is carried out from this time on. Null: at once. */
    dueAt: instant().nullable(),
    /** Null until the workflow has carried the decision out. */
    recordedAt: instant().nullable(),
  },
  uniques: [
    { name: 'review_decisions_once', properties: ['verificationId', 'memberId'] },
    { name: 'review_decisions_in_order', properties: ['verificationId', 'number'] },
  ],
  checks: [
    { name: 'review_decisions_number', expression: 'number >= 1 and number <= 3' },
    {
      name: 'review_decisions_claimed',
      expression: 'claimed_at <= created_at and created_at < claimed_until',
    },
  ],
  indexes: [
    {
      name: 'review_decisions_due',
      expression:
        'create index "review_decisions_due" on "review_decisions" ("created_at", "id") where (recorded_at is null)',
    },
    {
      name: 'review_decisions_of_member',
      expression:
        'create index "review_decisions_of_member" on "review_decisions" ("org_id", "environment", "member_id", "created_at" desc, "id" desc)',
    },
    {
      name: 'review_decisions_concluded',
      expression:
        'create index "review_decisions_concluded" on "review_decisions" ("org_id", "environment", "created_at") where (concludes)',
    },
  ],
});
