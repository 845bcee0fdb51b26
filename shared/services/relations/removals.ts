import { keptUntil, lastDayOf, removalWarningDays, removedWithin } from '#policy/relations.ts';
import { countedUpTo, timeOf } from '#store/database/statements.ts';
import { findOrganisation } from '#store/organisations/organisations.ts';
import {
  countUnreported,
  countUnreportedOfAnyOrganisation,
  noteRemovalWarningsOfAnyOrganisation,
  relationsOf,
  removalsAheadOfAnyOrganisation,
} from '#store/organisations/relations.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { firstPlace, inBatches } from '../portions/in-batches.ts';

const rowsAtOnce = 500;
const organisationsAtOnce = 100;

export type Removal = {
  id: string;
  organisation: string;
  reference: string | null;
  /** The last day of the relationship (YYYY-MM-DD). Null if nobody reported one, so that the years count from the completion. */
  endedOn: string | null;
  removedAfter: Date;
};

type Wanted = { organisation: string | undefined; days: number };

/**
 * Yields the verifications of live that are removed within so many days, in the order of their removal, in batches. Returns undefined
 * if no organisation has the name.
 */
export async function removalsAhead(
  { store }: Pick<Context, 'store'>,
  { organisation, days }: Wanted,
): Promise<AsyncIterable<Removal[]> | undefined> {
  const orgId = organisation === undefined ? null : await findOrganisation(store, organisation);
  if (orgId === undefined) return undefined;
  const before = removedWithin(days, await timeOf(store.db));
  return (async function* () {
    const batches = inBatches(
      firstPlace,
      rowsAtOnce,
      (after, limit) => removalsAheadOfAnyOrganisation(store.db, { before, orgId, after, limit }),
      ({ id, countedFrom: at }) => ({ id, at }),
    );
    for await (const batch of batches)
      yield batch.map(({ countedFrom, relationEndedAt, ...row }) => ({
        ...row,
        endedOn: relationEndedAt && lastDayOf(relationEndedAt),
        removedAfter: keptUntil(countedFrom),
      }));
  })();
}

/** Returns the ids of the completed verifications of live with this reference of the organisation. */
export async function verificationsWithReference(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { reference }: { reference: string },
): Promise<string[]> {
  assertMay(caller, 'verifications.see');
  return relationsOf(caller.scope, store.db).completedWith(reference);
}

export type WarningOfRemovals = { orgId: string; verifications: number; removedAfter: Date };

/**
 * Returns the organisations that must be told that verifications will be removed, because nobody reported the end of the relationship. No
 * verification is told twice.
 */
export async function warningsOfRemovals({
  store,
  clock,
}: Pick<Context, 'store' | 'clock'>): Promise<WarningOfRemovals[]> {
  const until = removedWithin(removalWarningDays, clock.now());
  const warnings: WarningOfRemovals[] = [];
  for (let noted = organisationsAtOnce; noted === organisationsAtOnce; ) {
    const batch = await noteRemovalWarningsOfAnyOrganisation(store.db, { until, limit: organisationsAtOnce });
    for (const { orgId, verifications, earliest } of batch)
      if (earliest !== null) warnings.push({ orgId, verifications, removedAfter: keptUntil(earliest) });
    noted = batch.length;
  }
  return warnings;
}

/**
 * Counts the verifications of live that are removed within the days of the warning, for which nobody reported the end of the
 * relationship. The count ends at `countedUpTo`.
 */
export const removalsWithoutReport = ({ store, clock }: Pick<Context, 'store' | 'clock'>): Promise<number> =>
  countUnreportedOfAnyOrganisation(store.db, {
    before: removedWithin(removalWarningDays, clock.now()),
    upTo: countedUpTo,
  });

/** What is removed within so many days. The count ends at `ownRemovalsMax`. */
export type OwnRemovals = { verifications: number; days: number; removedAfter: Date };

/** One more than the page shows. Nobody acts differently on a larger number, and the page waits for the count. */
const ownRemovalsMax = 10_001;

/**
 * What the organisation loses within the days of the warning, because nobody reported the end of the relationship, and when the first of
 * it is removed. Undefined if nothing is.
 */
export async function ownRemovalsAhead(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  caller: Caller,
): Promise<OwnRemovals | undefined> {
  assertMay(caller, 'usage.see');
  const before = removedWithin(removalWarningDays, clock.now());
  const { verifications, earliest } = await countUnreported(caller.scope, store.db, {
    ...{ before, upTo: ownRemovalsMax },
  });
  if (earliest === null) return undefined;
  return { verifications, days: removalWarningDays, removedAfter: keptUntil(earliest) };
}
