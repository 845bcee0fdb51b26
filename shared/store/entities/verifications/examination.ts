import { defineEntity, p } from '@mikro-orm/core';
import type { Engine } from '#contract/examinations.ts';
import type { Check } from '#contract/workflows.ts';
import type { StoredMaking } from '../../made-checks.ts';
import { createdAt } from '../columns.ts';
import { Verification } from './verification.ts';

/**
 * An examination of what an end user submitted in live. The activity that examines writes the row. If everything was examined before Send,
 * or a bank confirmed the person, the transaction of the submission writes it. The verdict is computed from
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
    /** What made each check. Null if the examination failed, or if an older version made it. */
    makings: p.json().$type<StoredMaking[]>().nullable(),
    /** What made the first check. Null if the examination failed, if there was nothing to examine, or if an older version made it. */
    engine: p.json().$type<Engine>().nullable(),
    createdAt: createdAt(),
  },
});
