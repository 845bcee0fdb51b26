import { defineEntity, p } from '@mikro-orm/core';
import type { IncomeDocumentType } from '#contract/enums.ts';
import { bytes } from '../columns.ts';
import { Organisation } from '../organisations/organisation.ts';
import { Verification } from './verification.ts';

/** What an income check has beside its row of `verifications`, which has the same id. */
export const IncomeCheck = defineEntity({
  name: 'IncomeCheck',
  tableName: 'income_checks',
  properties: {
    verificationId: () =>
      p.manyToOne(Verification).mapToPk().joinColumn('verification_id').deleteRule('cascade').primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    /** A verification of the same person. */
    linkedId: p.uuid().nullable(),
    /** The documents that the person is asked for. Null if the person chooses. */
    documentTypes: p.array().$type<IncomeDocumentType[]>().nullable(),
    /** What the documents mean, in encrypted form: documents, signs and result. Null before they were read, and after an erasure. */
    judgement: bytes().nullable(),
  },
});
