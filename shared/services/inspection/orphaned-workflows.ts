import { reviewsAtWorkOfAnyOrganisation } from '#store/reviews/review-decisions.ts';
import { maskingsAtWorkOfAnyOrganisation } from '#store/verifications/maskings.ts';
import { verificationsAtWorkOfAnyOrganisation } from '#store/verifications/verifications.ts';
import type { Context } from '../context.ts';

const batchSize = 500;

/**
 * Yields the ids of verifications whose running workflow has no work. After a restore of the database to an older state, a
 * verification may have neither a row nor a claim. After a restore of Temporal, it may be completed. The database is read after
 * Temporal, and a claim is committed before its workflow starts. So a create that is in progress is never among them.
 */
export async function* orphanedWorkflows({
  store,
  temporal,
}: Pick<Context, 'store' | 'temporal'>): AsyncGenerator<string> {
  let batch: string[] = [];
  for await (const id of temporal.runningVerifications()) {
    batch.push(id);
    if (batch.length < batchSize) continue;
    yield* await withoutWork(store, batch);
    batch = [];
  }
  yield* await withoutWork(store, batch);
}

async function withoutWork({ db }: Context['store'], ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const atWork = await verificationsAtWorkOfAnyOrganisation(db, ids);
  for (const id of await reviewsAtWorkOfAnyOrganisation(db, ids)) atWork.add(id);
  for (const id of await maskingsAtWorkOfAnyOrganisation(db, ids)) atWork.add(id);
  return ids.filter((id) => !atWork.has(id));
}
