import type { Decision } from '#contract/workflows.ts';
import type { Db } from './orm.ts';
import type { OrgScope } from './scope.ts';

/** What a view of a verification needs. */
const viewed = [
  ...([
    'id',
    'environment',
    'status',
    'method',
    'reference',
    'dossierRef',
    'linkVersion',
    'linkKeyId',
  ] as const),
  ...(['verdict', 'createdAt'] as const),
] as const;

/** Verifications of one organisation in one environment. */
export const verificationsOf = (scope: OrgScope, db: Db) => ({
  find: (id: string) =>
    db
      .selectFrom('verifications')
      .selectAll()
      .where('id', '=', id)
      .where('orgId', '=', scope.orgId)
      .where('environment', '=', scope.environment)
      .executeTakeFirst(),

  /** At most `limit` rows, the newest first, after the row `after` where it is given (decision 19). */
  newest: ({ limit, after }: { limit: number; after: string | undefined }) =>
    db
      .selectFrom('verifications')
      .select(viewed)
      .where('orgId', '=', scope.orgId)
      .where('environment', '=', scope.environment)
      .$if(after !== undefined, (query) =>
        query.where((eb) =>
          eb(
            eb.refTuple('createdAt', 'id'),
            '<',
            eb
              .selectFrom('verifications')
              .select(['createdAt', 'id'])
              .where('id', '=', after ?? '')
              .where('orgId', '=', scope.orgId)
              .where('environment', '=', scope.environment)
              .$asTuple('createdAt', 'id'),
          ),
        ),
      )
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),

  /** The row itself is the arbiter: a completed one stays as it is. */
  complete: (id: string, { verdict, at, requestId }: { verdict: Decision; at: Date; requestId: string }) =>
    db
      .updateTable('verifications')
      .set({ status: 'completed', verdict, completedAt: at, completedBy: requestId })
      .where('id', '=', id)
      .where('orgId', '=', scope.orgId)
      .where('environment', '=', scope.environment)
      .where('status', '<>', 'completed'),
});

export type VerificationRow = NonNullable<Awaited<ReturnType<ReturnType<typeof verificationsOf>['find']>>>;
export type ViewedVerification = Pick<VerificationRow, (typeof viewed)[number]>;
