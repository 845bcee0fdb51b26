import { defineEntity, p } from '@mikro-orm/core';
import type { EidStatus } from '#contract/eid.ts';
import type { Environment, Language } from '#contract/enums.ts';
import { bytes, createdAt, instant } from '../columns.ts';
import { Organisation } from '../organisations/organisation.ts';
import { Verification } from './verification.ts';

/** One visit of a person to a bank. The row exists before the acquirer is asked, so that no crash and no double click begins two. */
export const EidTransaction = defineEntity({
  name: 'EidTransaction',
  tableName: 'eid_transactions',
  properties: {
    id: p.uuid().primary(),
    verificationId: () =>
      p.manyToOne(Verification).mapToPk().joinColumn('verification_id').deleteRule('cascade'),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    environment: p.text().$type<Environment>(),
    status: p.text().$type<EidStatus>(),
    /** The BIC of the bank that the person chose. */
    issuerId: p.text(),
    language: p.text().$type<Language>(),
    /** SHA-256 of the code that comes back with the person. Null before the acquirer is asked. */
    codeHash: bytes().nullable(),
    /** The acquirer's name of the transaction. */
    transactionId: p.text().nullable(),
    /** The address of the bank's page, encrypted. It is emptied when the transaction is over. */
    redirect: bytes().nullable(),
    /** How often the acquirer was asked for the result. */
    asks: p.smallint().default(0),
    /** When something is to be done next. It means nothing once the transaction is over. */
    nextAskAt: instant(),
    /** The bank accepts nothing from then on. */
    endsAt: instant(),
    /** When the browser came back. Null if it did not. It proves nothing. */
    returnedAt: instant().nullable(),
    createdAt: createdAt(),
  },
  indexes: [
    { properties: ['verificationId', 'createdAt'] },
    {
      name: 'eid_transactions_code',
      expression:
        'create unique index "eid_transactions_code" on "eid_transactions" ("code_hash") where (code_hash is not null)',
    },
    {
      name: 'eid_transactions_due',
      expression:
        'create index "eid_transactions_due" on "eid_transactions" ("next_ask_at", "id") where (status = any (array[\'wanted\'::text, \'asked\'::text, \'open\'::text]))',
    },
  ],
});
