import { defineEntity, p } from '@mikro-orm/core';
import type { Environment, StoredKind } from '#contract/enums.ts';
import { bytes, instant } from './columns.ts';
import { Organisation } from './organisation.ts';
import { Verification } from './verification.ts';

/**
 * The newest evidence of each kind that an end user provided on the hosted page, or the copies that replaced it. Housekeeping deletes
 * old evidence. In sandbox the row has no picture and only records that evidence was provided.
 */
export const Evidence = defineEntity({
  name: 'Evidence',
  tableName: 'evidence',
  properties: {
    verificationId: () => p.manyToOne(Verification).mapToPk().joinColumn('verification_id').primary(),
    kind: p.text().$type<StoredKind>().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    environment: p.text().$type<Environment>(),
    /** The re-encoded JPEG in encrypted form. Null in sandbox, where no picture is stored. */
    picture: bytes().nullable(),
    /** SHA-256 of the JPEG before encryption. The ledger keeps the hash of submitted evidence after the picture is deleted. */
    sha256: bytes().nullable(),
    takenAt: instant().defaultRaw('now()'),
    /** Housekeeping deletes the evidence from this time on. */
    expiresAt: instant().defaultRaw("(now() + '30 days'::interval)"),
  },
  indexes: [
    { name: 'evidence_over', expression: 'create index "evidence_over" on "evidence" ("expires_at")' },
  ],
});
