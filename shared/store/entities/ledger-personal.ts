import { defineEntity, p } from '@mikro-orm/core';
import { bytes } from './columns.ts';
import { Organisation } from './organisations/organisation.ts';

/** The personal values of a line of the ledger, encrypted. They are not part of the chain, so they can be erased. */
export const LedgerPersonal = defineEntity({
  name: 'LedgerPersonal',
  tableName: 'ledger_personal',
  properties: {
    subjectId: p.uuid().primary(),
    sequence: p.integer().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    value: bytes(),
  },
});
