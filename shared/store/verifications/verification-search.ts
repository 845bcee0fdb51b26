import { sql } from 'kysely';
import { allMethods, type Method, type Outcome, outcomes, type VerificationStatus } from '#contract/enums.ts';
import type { Db } from '../database/connection.ts';
import { comesAfter } from '../database/paging.ts';
import type { OrgScope } from '../database/scope.ts';

/** What a member of an organisation searches for. `name` is an id, a `dossier_ref` or a reference, in full. */
export type SearchFor = {
  name?: { column: 'id' | 'dossierRef' | 'reference'; value: string } | undefined;
  status?: VerificationStatus | undefined;
  method?: Method | undefined;
  outcome?: Outcome | undefined;
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
};
type PageOf = SearchFor & { limit: number; after: string | undefined };

const outcome = sql<Outcome | null>`verdict->>'outcome'`;
const reviewed = sql<boolean>`coalesce((verdict->>'reviewed')::boolean, false)`;

/** The verifications of an organisation that match a search, newest first. */
export const searchOf = ({ orgId, environment }: OrgScope, db: Db) => {
  const matching = ({ limit, after, name, status, createdFrom, createdBefore }: PageOf) => {
    let query = db
      .selectFrom('verifications')
      .select(['id', 'reference', 'status', 'method', 'createdAt', 'completedAt', 'cancelledAt', 'erasedAt'])
      .select(['submittedAt', 'linkExpiresAt', 'linkVersion'])
      .select([outcome.as('outcome'), reviewed.as('reviewed')])
      .where('orgId', '=', orgId)
      .where('environment', '=', environment)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    if (name !== undefined) query = query.where(name.column, '=', name.value);
    if (status !== undefined) query = query.where('status', '=', status);
    if (createdFrom !== undefined) query = query.where('createdAt', '>=', createdFrom);
    if (createdBefore !== undefined) query = query.where('createdAt', '<', createdBefore);
    if (after !== undefined) query = query.where(comesAfter('verifications', after, { orgId, environment }));
    return query;
  };

  /** The index has the rows of one method and one outcome in order, so each pair is searched alone. */
  const ofPairs = (page: PageOf) =>
    pairsOf(page)
      .map((pair) =>
        db
          .selectFrom(
            matching(page)
              .where('method', '=', pair.method)
              .where(outcome, pair.outcome === null ? 'is' : '=', pair.outcome)
              .as('pair'),
          )
          .selectAll(),
      )
      .reduce((all, each) => all.unionAll(each))
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(page.limit);

  return {
    newest: (page: PageOf) =>
      (page.method === undefined && page.outcome === undefined ? matching(page) : ofPairs(page)).execute(),
  };
};

const pairsOf = ({ method, outcome, status }: SearchFor) =>
  (method === undefined ? allMethods : [method]).flatMap((each) =>
    (outcome === undefined ? outcomesWith(status) : [outcome]).map((one) => ({ method: each, outcome: one })),
  );

/** An open verification has no outcome. */
const outcomesWith = (status: VerificationStatus | undefined): readonly (Outcome | null)[] =>
  status === 'completed' ? outcomes : status === undefined ? [...outcomes, null] : [null];

export type FoundVerification = Awaited<ReturnType<ReturnType<typeof searchOf>['newest']>>[number];
