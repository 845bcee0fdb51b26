import { defineEntity, p } from '@mikro-orm/core';
import type { Environment, EvidenceKind } from '#contract/enums.ts';
import { bytes, instant } from './columns.ts';
import { Organisation } from './organisation.ts';
import { Verification } from './verification.ts';

/**
 * Evidence that an end user handed in on the hosted page, the newest of each kind. Housekeeping deletes it. In sandbox no picture
 * is kept, only the fact that there was one.
 */
export const Evidence = defineEntity({
  name: 'Evidence',
  tableName: 'evidence',
  properties: {
    verificationId: () => p.manyToOne(Verification).mapToPk().joinColumn('verification_id').primary(),
    kind: p.text().$type<EvidenceKind>().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    environment: p.text().$type<Environment>(),
    /** The re-encoded JPEG, encrypted. Null in sandbox, where no picture is kept. */
    picture: bytes().nullable(),
    /** Of the JPEG. The ledger names it by this hash, also after its deletion. */
    sha256: bytes().nullable(),
    takenAt: instant().defaultRaw('now()'),
  },
  indexes: [
    { name: 'evidence_expiring', expression: 'create index "evidence_expiring" on "evidence" ("taken_at")' },
  ],
});
