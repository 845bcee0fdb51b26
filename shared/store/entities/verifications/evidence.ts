import { defineEntity, p } from '@mikro-orm/core';
import type { Environment, LookResult, PictureSource, StoredKind } from '#contract/enums.ts';
import type { StoredChecks } from '../../made-checks.ts';
import { bytes, instant } from '../columns.ts';
import { Organisation } from '../organisations/organisation.ts';
import { Verification } from './verification.ts';

/** An examination that was made before Send. `of` names the pictures that were examined, by kind and hash. */
export type ExaminedAhead = { of: string } & Omit<StoredChecks, 'makings'> & Partial<StoredChecks>;

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
    /** What the browser said of the picture, or of the one that this copy was made of. Null if nothing was said: a specimen, a bank. */
    source: p.text().$type<PictureSource>().nullable(),
    /** What a quick look at this picture found. Null before that. */
    look: p.text().$type<LookResult>().nullable(),
    /** How often the person was told to take a picture of this kind again. */
    advised: p.smallint().default(0),
    /** On the front of a document and on a selfie. It ends with the picture, and is void if a picture was replaced. */
    examinedAhead: p.json().$type<ExaminedAhead>().nullable(),
    takenAt: instant().defaultRaw('now()'),
    /** Housekeeping deletes the evidence from this time on. */
    expiresAt: instant().defaultRaw("(now() + '30 days'::interval)"),
  },
  indexes: [
    { name: 'evidence_over', expression: 'create index "evidence_over" on "evidence" ("expires_at")' },
    {
      name: 'evidence_unmasked',
      expression: `create index "evidence_unmasked" on "evidence" ("taken_at", "verification_id") where ((picture is not null) and (kind = any (array['passport_page'::text, 'card_front'::text])))`,
    },
  ],
});
