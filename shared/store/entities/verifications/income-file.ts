import { defineEntity, p } from '@mikro-orm/core';
import type { Environment } from '#contract/enums.ts';
import { bytes, inRelation, relationOf } from '../columns.ts';
import { Organisation } from '../organisations/organisation.ts';
import { Evidence } from './evidence.ts';

/** A document that tells an income. The evidence `papers` is the manifest of all of them. They end with it, whatever ends it. */
export const IncomeFile = defineEntity({
  name: 'IncomeFile',
  tableName: 'income_files',
  properties: {
    id: p.uuid().primary(),
    verificationId: inRelation(p.uuid()),
    kind: inRelation(p.text().$type<'papers'>()),
    evidence: relationOf(() =>
      p.manyToOne(Evidence).mapToPk().joinColumns('verification_id', 'kind').deleteRule('cascade'),
    ),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    environment: p.text().$type<Environment>(),
    /** Of the file as it came. */
    sha256: bytes(),
    /** In bytes. */
    size: p.integer(),
    /** The file in encrypted form. Null after it was read. */
    file: bytes().nullable(),
    /** Pictures of its pages in encrypted form, without citizen service numbers. Null before it was read, and if it gave none. */
    pages: bytes().nullable(),
  },
  indexes: [{ name: 'income_files_of_case', properties: ['verificationId', 'kind'] }],
});
