import { sql } from 'kysely';
import { type EvidenceKind, evidenceKinds, type PictureSource, type StoredKind } from '#contract/enums.ts';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';

export type Picture = {
  kind: StoredKind;
  picture: Buffer | null;
  sha256: Buffer | null;
  source: PictureSource | null;
  expiresAt: Date;
};

export const evidenceOf = ({ orgId, environment }: OrgScope, db: Db, verificationId: string) => {
  const ofVerification = db
    .selectFrom('evidence')
    .where('verificationId', '=', verificationId)
    .where('orgId', '=', orgId)
    .where('environment', '=', environment)
    .orderBy('kind');
  return {
    /** What the person handed in and is still there. */
    received: () =>
      ofVerification
        .select(['kind', 'sha256', 'source', 'takenAt', 'look', 'advised'])
        .where('kind', 'in', evidenceKinds)
        .$narrowType<{ kind: EvidenceKind }>()
        .execute(),

    all: () => ofVerification.select(['kind', 'picture', 'sha256', 'source', 'takenAt']).execute(),

    pictures: (kinds: readonly StoredKind[]) =>
      ofVerification.select(['kind', 'picture']).where('kind', 'in', kinds).execute(),

    /** Replaces older evidence of the same kind, which voids what was found about it. The caller must hold a lock on the verification. */
    keep: async ({ kind, picture, sha256, source, expiresAt }: Picture): Promise<void> => {
      await db
        .insertInto('evidence')
        .values({ verificationId, orgId, environment, kind, picture, sha256, source, expiresAt })
        .onConflict((conflict) =>
          conflict.columns(['verificationId', 'kind']).doUpdateSet({
            ...{ picture, sha256, source, expiresAt, takenAt: sql<Date>`now()` },
            ...{ look: null, examinedAhead: null },
          }),
        )
        .execute();
    },

    remove: async (kinds: readonly StoredKind[]): Promise<void> => {
      if (kinds.length === 0) return;
      await db
        .deleteFrom('evidence')
        .where('verificationId', '=', verificationId)
        .where('orgId', '=', orgId)
        .where('environment', '=', environment)
        .where('kind', 'in', kinds)
        .execute();
    },

    /** Removes all that is stored, whatever it is, and returns its kinds in their order. */
    removeAll: async (): Promise<StoredKind[]> => {
      const removed = await db
        .deleteFrom('evidence')
        .where('verificationId', '=', verificationId)
        .where('orgId', '=', orgId)
        .where('environment', '=', environment)
        .returning('kind')
        .execute();
      return removed.map(({ kind }) => kind).toSorted();
    },
  };
};

/** When the evidence of a verification is deleted. */
export const evidenceEndOf = ({ orgId, environment }: OrgScope, db: Db, verificationId: string) => {
  const change = db
    .updateTable('evidence')
    .where('verificationId', '=', verificationId)
    .where('orgId', '=', orgId)
    .where('environment', '=', environment);
  return {
    /** The kinds of the pictures and of the answer of a bank that are stored, each with its end, the earliest first. */
    stored: () =>
      db
        .selectFrom('evidence')
        .select(['kind', 'expiresAt'])
        .where('verificationId', '=', verificationId)
        .where('orgId', '=', orgId)
        .where('environment', '=', environment)
        .where('picture', 'is not', null)
        .orderBy('expiresAt')
        .execute(),

    /**
     * Builds the write that keeps evidence that nobody has sent until its link ends, but for no more than `hoursMax` from when it was taken.
     */
    keepUnsentUntil: (linkExpiresAt: Date, hoursMax: number) =>
      change.set({
        expiresAt: sql<Date>`least(${linkExpiresAt}::timestamptz, taken_at + ${hoursMax} * interval '1 hour')`,
      }),

    /** Builds the write that gives all evidence another end. */
    keepUntil: (expiresAt: Date) => change.set({ expiresAt }),

    /** Builds the write that ends the retention of all evidence at this time, or leaves it if it ends earlier. */
    endBy: (at: Date) => change.set({ expiresAt: sql<Date>`least(expires_at, ${at}::timestamptz)` }),
  };
};

/** Selects the hashes of the stored pictures of the verification, by kind. */
export const hashesOfPictures = sql<Record<string, string | null>>`(
  select coalesce(jsonb_object_agg(kind, encode(sha256, 'hex')), '{}') from evidence
  where verification_id = verifications.id and picture is not null)`;
