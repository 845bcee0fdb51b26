import { defineEntity, p } from '@mikro-orm/core';
import type { Check } from '#contract/workflows.ts';
import { createdAt } from './columns.ts';
import { Verification } from './verification.ts';

/**
 * An examination of what an end user submitted in live. The activity that examines writes the row. The verdict is computed from
 * these rows and from nothing that came through Temporal.
 */
export const Examination = defineEntity({
  name: 'Examination',
  tableName: 'examinations',
  properties: {
    verificationId: () =>
      p.manyToOne(Verification).mapToPk().joinColumn('verification_id').deleteRule('cascade').primary(),
    /** Examinations of a verification are numbered from 1. */
    number: p.smallint().primary(),
    /** Null if the examination failed. A failure says nothing about the evidence. */
    checks: p.json().$type<Check[]>().nullable(),
    createdAt: createdAt(),
  },
});
