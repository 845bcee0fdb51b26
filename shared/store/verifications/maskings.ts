import { sql } from 'kysely';
import { type OriginalKind, originalKinds } from '#contract/enums.ts';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';
import { countOpen, type Open } from '../database/statements.ts';

/** The maskings of the document of one verification. */
export const maskingsOf = ({ orgId, environment }: OrgScope, db: Db, verificationId: string) => ({
  /** True if a picture of the document is still there as the person handed it in. After a verdict, its masking is due. */
  areOriginalsLeft: async (): Promise<boolean> =>
    environment === 'live' &&
    (await db
      .selectFrom('evidence')
      .select('kind')
      .where('verificationId', '=', verificationId)
      .where('orgId', '=', orgId)
      .where('environment', '=', environment)
      .where('kind', 'in', originalKinds)
      .limit(1)
      .executeTakeFirst()) !== undefined,

  /** Counts a masking before it begins. Returns its number, from 1 on. */
  async begin(): Promise<number> {
    const { maskingsBegun } = await db
      .updateTable('verifications')
      .set((eb) => ({ maskingsBegun: eb('maskingsBegun', '+', 1) }))
      .where('id', '=', verificationId)
      .where('orgId', '=', orgId)
      .where('environment', '=', environment)
      .returning('maskingsBegun')
      .executeTakeFirstOrThrow();
    return maskingsBegun;
  },

  /** The pictures of the document as the person handed them in, as far as they are still there. */
  originals: () =>
    db
      .selectFrom('evidence')
      .select(['kind', 'sha256', 'source', 'expiresAt'])
      .where('verificationId', '=', verificationId)
      .where('orgId', '=', orgId)
      .where('environment', '=', environment)
      .where('kind', 'in', originalKinds)
      .$narrowType<{ kind: OriginalKind }>()
      .orderBy('kind')
      .execute(),
});

/** A document has one front. The text is that of the index `evidence_unmasked`. */
const isOriginalFront = sql<boolean>`(picture is not null and kind = any (array['passport_page', 'card_front']))`;

const unmasked = (db: Db) =>
  db
    .selectFrom('evidence')
    .innerJoin('verifications', 'verifications.id', 'evidence.verificationId')
    .where(isOriginalFront)
    .where('verifications.status', '=', 'completed');

type Unmasked = { after: { at: Date; id: string }; completedBefore: Date; limit: number };

/** Verifications with a verdict whose document is not masked yet, by the age of its front, the oldest first (decision 36). */
export const findUnmaskedOfAnyOrganisation = (db: Db, { after, completedBefore, limit }: Unmasked) =>
  unmasked(db)
    .select(['verifications.id', 'verifications.orgId', 'verifications.environment', 'verifications.method'])
    .select('evidence.takenAt')
    .where('verifications.completedAt', '<', completedBefore)
    .where((eb) =>
      eb(eb.refTuple('evidence.takenAt', 'evidence.verificationId'), '>', eb.tuple(after.at, after.id)),
    )
    .orderBy('evidence.takenAt')
    .orderBy('evidence.verificationId')
    .limit(limit)
    .execute();

/** Counts verifications with a verdict whose document is not masked yet, up to `upTo`. A document waits since its verdict. */
export const countUnmaskedOfAnyOrganisation = (db: Db, upTo: number): Promise<Open> =>
  countOpen(
    db,
    unmasked(db).select('verifications.completedAt as since').orderBy('evidence.takenAt').limit(upTo),
  );

const aMinuteAgo = sql<Date>`now() - interval '1 minute'`;

/**
 * Returns the members of `ids` whose document waits for its masked copy, or got it within the last minute. Evidence of sandbox has no
 * picture, so nothing is masked there.
 */
export const maskingsAtWorkOfAnyOrganisation = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('evidence')
    .select('verificationId')
    .where('verificationId', 'in', ids)
    .where((eb) =>
      eb.or([
        eb.and([eb('kind', 'in', originalKinds), eb('picture', 'is not', null)]),
        eb('takenAt', '>', aMinuteAgo),
      ]),
    )
    .execute();
  return rows.map(({ verificationId }) => verificationId);
};
