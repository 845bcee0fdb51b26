import type { ListQuery } from '#contract/list.ts';
import { ownDecisionsOf } from '#store/reviews/own-decisions.ts';
import { assertMay, type Caller, memberIdOf } from '../caller.ts';
import type { Context } from '../context.ts';
import { type Page, pageOf } from '../portions/page.ts';

export type OwnDecision = Awaited<ReturnType<ReturnType<typeof ownDecisionsOf>['newest']>>[number];

/** What this member decided, newest first. One that was taken back is not among it. */
export async function listOwnDecisions(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  query: ListQuery,
): Promise<Page<OwnDecision>> {
  assertMay(caller, 'queue.decide');
  return pageOf(ownDecisionsOf(caller.scope, store.db, memberIdOf(caller)), query, (row) => row);
}
