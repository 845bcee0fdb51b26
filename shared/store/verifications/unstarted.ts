import type { NotNull } from 'kysely';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';
import { countOpen, type Open } from '../database/statements.ts';

/** Verifications whose rows were committed before their workflow started (decision 42). */
export const unstartedOf = ({ orgId, environment }: OrgScope, db: Db) => ({
  /** A run of the workflow has read the row. */
  started: (id: string) =>
    db
      .updateTable('verifications')
      .set({ runDueSince: null })
      .where('id', '=', id)
      .where('orgId', '=', orgId)
      .where('environment', '=', environment),
});

type Unstarted = { after: { at: Date; id: string }; dueBefore: Date; limit: number };

/** Verifications whose workflow has not started since `dueBefore`, oldest first (decision 42). */
export const findUnstartedOfAnyOrganisation = (db: Db, { after, dueBefore, limit }: Unstarted) =>
  db
    .selectFrom('verifications')
    .select(['id', 'orgId', 'environment', 'method', 'runDueSince'])
    .where((eb) => eb(eb.refTuple('runDueSince', 'id'), '>', eb.tuple(after.at, after.id)))
    .where('runDueSince', '<', dueBefore)
    .$narrowType<{ runDueSince: NotNull }>()
    .orderBy('runDueSince')
    .orderBy('id')
    .limit(limit)
    .execute();

/** Counts verifications whose workflow has not started since `dueBefore`, up to `upTo`. */
export const countUnstartedOfAnyOrganisation = (
  db: Db,
  { dueBefore, upTo }: { dueBefore: Date; upTo: number },
): Promise<Open> =>
  countOpen(
    db,
    db
      .selectFrom('verifications')
      .select('runDueSince as since')
      .where('runDueSince', '<', dueBefore)
      .orderBy('runDueSince')
      .limit(upTo),
  );
