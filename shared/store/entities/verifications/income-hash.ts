import { defineEntity, p } from '@mikro-orm/core';
import type { Environment } from '#contract/enums.ts';
import { bytes } from '../columns.ts';
import { Organisation } from '../organisations/organisation.ts';
import { Verification } from './verification.ts';

/** A document that was read, by the SHA-256 of its file or of its words, to find one that comes again. An erasure deletes the row. */
export const IncomeHash = defineEntity({
  name: 'IncomeHash',
  tableName: 'income_hashes',
  properties: {
    verificationId: () =>
      p.manyToOne(Verification).mapToPk().joinColumn('verification_id').deleteRule('cascade').primary(),
    sha256: bytes().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    environment: p.text().$type<Environment>(),
  },
  indexes: [{ name: 'income_hashes_same', properties: ['orgId', 'environment', 'sha256'] }],
});
