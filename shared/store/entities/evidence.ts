import { defineEntity, p } from '@mikro-orm/core';
import type { Environment, EvidenceKind } from '#contract/enums.ts';
import { bytes, instant } from './columns.ts';
import { Organisation } from './organisation.ts';
import { Verification } from './verification.ts';

/**
 * What a person handed in on the hosted page, the newest of each kind. Kept for a time only. In sandbox nothing is kept of a
 * picture but that there was one.
 */
export const Evidence = defineEntity({
  name: 'Evidence',
  tableName: 'evidence',
  properties: {
    verificationId: () => p.manyToOne(Verification).mapToPk().joinColumn('verification_id').primary(),
    kind: p.text().$type<EvidenceKind>().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    environment: p.text().$type<Environment>(),
    /** A clean JPEG, sealed. */
    picture: bytes().nullable(),
    /** Of the JPEG, so that the ledger can name it after it is gone. */
    sha256: bytes().nullable(),
    takenAt: instant().defaultRaw('now()'),
  },
  indexes: [
    { name: 'evidence_expiring', expression: 'create index "evidence_expiring" on "evidence" ("taken_at")' },
  ],
});
