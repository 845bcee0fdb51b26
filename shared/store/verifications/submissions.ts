import { type NotNull, sql } from 'kysely';
import type { Db } from '../database/connection.ts';

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

/** Counts submitted verifications without a verdict, up to `upTo`, and tells for how long the oldest of these has waited; 0 if none. */
export const countUnsettledSubmissionsOfAnyOrganisation = (
  db: Db,
  upTo: number,
): Promise<{ open: number; oldestSeconds: number }> =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('verifications')
        .select('submittedAt')
        .where('submittedAt', 'is not', null)
        .where('status', '<>', 'completed')
        .where('cancelledAt', 'is', null)
        .limit(upTo)
        .as('counted'),
    )
    .select((eb) => [
      eb.cast<number>(eb.fn.countAll(), 'integer').as('open'),
      sql<number>`greatest(coalesce(extract(epoch from now() - min(submitted_at)), 0), 0)::float8`.as(
        'oldestSeconds',
      ),
    ])
    .executeTakeFirstOrThrow();
