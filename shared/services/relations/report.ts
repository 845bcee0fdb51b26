import { calendarDay } from '#contract/time.ts';
import { keptUntil, relationEndOn } from '#policy/relations.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { relationsOf } from '#store/organisations/relations.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { type Entry, nextLine } from '../ledger/append.ts';

/** `endedOn` is the last day of the relationship (YYYY-MM-DD). Null means that the relationship goes on. */
export type RelationReport = { id: string; endedOn: string | null };

export type RelationRefusal = 'sandbox' | 'not_completed' | 'before_completion' | 'in_future';

export type RelationReported =
  | { refused: RelationRefusal }
  | {
      /** False if the same was reported before. */
      isNew: boolean;
      /** Null as long as the relationship goes on. */
      keptUntil: Date | null;
    };

/**
 * Notes the end of the business relationship that a verification belongs to (decision 48). The years for which the verification is kept
 * count from this end. A later report replaces an earlier one.
 */
export async function reportRelation(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { id, endedOn }: RelationReport,
): Promise<RelationReported> {
  assertMay(caller, 'verifications.change');
  const { actor, scope } = caller;
  return store.transaction(async (tx) => {
    if (scope.environment !== 'live') return { refused: 'sandbox' };
    const relations = relationsOf(scope, tx);
    const row = await relations.lock(id);
    if (!row?.completedAt) return { refused: 'not_completed' };
    const endedAt = endedOn === null ? null : relationEndOn(endedOn);
    if (endedAt !== null && endedAt <= row.completedAt) return { refused: 'before_completion' };
    if (endedOn !== null && endedOn > calendarDay(row.now)) return { refused: 'in_future' };
    const isNew = !says(row, endedAt);
    if (isNew) {
      const line = await nextLine(tx, scope, { ...entryOf({ id, endedOn }), actor, at: row.now });
      await writeAtOnce(tx, [relations.report(id, endedAt), ...line]);
    }
    return { isNew, keptUntil: endedAt && keptUntil(endedAt) };
  });
}

type Row = { relationEndedAt: Date | null; relationContinues: boolean };

const says = ({ relationEndedAt, relationContinues }: Row, endedAt: Date | null): boolean =>
  endedAt === null ? relationContinues : relationEndedAt?.getTime() === endedAt.getTime();

const entryOf = ({ id, endedOn }: RelationReport): Omit<Entry, 'actor' | 'at'> => ({
  subjectId: id,
  ...(endedOn === null
    ? { type: 'relation.continues', data: {} }
    : { type: 'relation.ended', data: { ended_on: endedOn } }),
});
