import type { NotNull } from 'kysely';
import type { Db } from '../database/connection.ts';
import { countOpen, type Open } from '../database/statements.ts';

type Submissions = { after: { at: Date; id: string }; submittedBefore: Date; limit: number };

/** Submitted verifications without a verdict, oldest first (decision 36). */
export const findUnsettledSubmissionsOfAnyOrganisation = (
  db: Db,
  { after, submittedBefore, limit }: Submissions,
) =>
  db
    .selectFrom('verifications')
    .select(['id', 'orgId', 'environment', 'method', 'submittedAt'])
    .where('status', '<>', 'completed')
    .where('cancelledAt', 'is', null)
    .where((eb) => eb(eb.refTuple('submittedAt', 'id'), '>', eb.tuple(after.at, after.id)))
    .where('submittedAt', '<', submittedBefore)
    .$narrowType<{ submittedAt: NotNull }>()
    .orderBy('submittedAt')
    .orderBy('id')
    .limit(limit)
    .execute();

/** Counts submitted verifications without a verdict, up to `upTo`. */
export const countUnsettledSubmissionsOfAnyOrganisation = (db: Db, upTo: number): Promise<Open> =>
  countOpen(
    db,
    db
      .selectFrom('verifications')
      .select('submittedAt as since')
      .where('submittedAt', 'is not', null)
      .where('status', '<>', 'completed')
      .where('cancelledAt', 'is', null)
      .orderBy('submittedAt')
      .limit(upTo),
  );
