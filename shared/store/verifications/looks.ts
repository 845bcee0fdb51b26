import { sql } from 'kysely';
import { type EvidenceKind, type LookedAtKind, type LookResult, lookedAtKinds } from '#contract/enums.ts';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';
import type { ExaminedAhead } from '../entities/verifications/evidence.ts';

export type { ExaminedAhead } from '../entities/verifications/evidence.ts';

/** What was found about the pictures of a verification before Send. */
export const looksOf = ({ orgId, environment }: OrgScope, db: Db, verificationId: string) => {
  const change = db
    .updateTable('evidence')
    .where('verificationId', '=', verificationId)
    .where('orgId', '=', orgId)
    .where('environment', '=', environment);
  const ofVerification = db
    .selectFrom('evidence')
    .where('verificationId', '=', verificationId)
    .where('orgId', '=', orgId)
    .where('environment', '=', environment);
  const waiting = ofVerification
    .where('kind', 'in', lookedAtKinds)
    .where('look', 'is', null)
    .where('picture', 'is not', null);
  return {
    /** True if a picture was not looked at yet. */
    areDue: async (): Promise<boolean> => (await waiting.select('kind').limit(1).execute()).length > 0,

    /** The pictures that were not looked at yet, sealed. */
    due: () =>
      waiting
        .select(['kind', 'picture', 'sha256'])
        .$narrowType<{ kind: LookedAtKind; picture: Buffer; sha256: Buffer }>()
        .orderBy('takenAt')
        .execute(),

    /**
     * Notes what was found about the picture with this hash, once. Returns the seconds since it was taken, or undefined if it was
     * replaced meanwhile or has a result already.
     */
    async note(
      picture: { kind: LookedAtKind; sha256: Buffer },
      look: LookResult,
      isAdvice: boolean,
    ): Promise<number | undefined> {
      const [noted] = await change
        .set((eb) => ({ look, ...(isAdvice && { advised: eb('advised', '+', 1) }) }))
        .where('kind', '=', picture.kind)
        .where('sha256', '=', picture.sha256)
        .where('look', 'is', null)
        .returning(sql<number>`extract(epoch from clock_timestamp() - taken_at)::float8`.as('seconds'))
        .execute();
      return noted?.seconds;
    },

    /** The examinations that were made before Send, whether or not they are about the pictures of now. */
    async examinedAhead(): Promise<ExaminedAhead[]> {
      const found = await ofVerification
        .select('examinedAhead')
        .where('examinedAhead', 'is not', null)
        .orderBy('kind')
        .execute();
      return found.flatMap(({ examinedAhead }) => examinedAhead ?? []);
    },

    /** Keeps an examination in the rows of these pictures, with which it ends. */
    keepAhead: (kinds: readonly EvidenceKind[], found: ExaminedAhead) =>
      change
        .set({ examinedAhead: sql<ExaminedAhead>`${JSON.stringify(found)}::jsonb` })
        .where('kind', 'in', kinds)
        .execute(),
  };
};
