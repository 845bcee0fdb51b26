import { defineEntity, p } from '@mikro-orm/core';
import { bytes, createdAt } from './columns.ts';
import { Organisation } from './organisations/organisation.ts';

/**
 * One step in the history of a verification, an endpoint, a key, an organisation or a member's account. The hashes form a chain, so that
 * changes and gaps can be detected.
 */
export const LedgerLine = defineEntity({
  name: 'LedgerLine',
  tableName: 'ledger',
  properties: {
    subjectId: p.uuid().primary(),
    sequence: p.integer().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    type: p.text(),
    data: p.json().$type<Record<string, unknown>>(),
    previousHash: bytes(),
    hash: bytes(),
    createdAt: createdAt(),
  },
  indexes: [
    {
      name: 'ledger_acts',
      expression:
        'create index "ledger_acts" on "ledger" ("org_id", "created_at", "subject_id", "sequence") where ((((data -> \'actor\'::text) ->> \'kind\'::text) = ANY (ARRAY[\'member\'::text, \'operator\'::text])) or (type = \'member.passkey_blocked\'::text))',
    },
  ],
});
