import type { Environment } from '#contract/enums.ts';
import type { Decision } from '#contract/workflows.ts';
import { compiledOnce, type Db } from './orm.ts';
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

const ofScope = (db: Db, orgId: string, environment: Environment) =>
  db.selectFrom('verifications').where('orgId', '=', orgId).where('environment', '=', environment);

const findOne = compiledOnce((db: Db, orgId: string, environment: Environment, id: string) =>
  ofScope(db, orgId, environment).selectAll().where('id', '=', id),
);

const newestFirst = (db: Db, orgId: string, environment: Environment, limit: number) =>
  ofScope(db, orgId, environment)
    .select(viewed)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);

const firstPage = compiledOnce(newestFirst);

const laterPage = compiledOnce(
  (db: Db, orgId: string, environment: Environment, limit: number, after: string) =>
    newestFirst(db, orgId, environment, limit).where((eb) =>
      eb(
        eb.refTuple('createdAt', 'id'),
        '<',
        ofScope(db, orgId, environment)
          .select(['createdAt', 'id'])
          .where('id', '=', after)
          .$asTuple('createdAt', 'id'),
      ),
    ),
);

/** Verifications of one organisation in one environment. */
export const verificationsOf = ({ orgId, environment }: OrgScope, db: Db) => ({
  find: async (id: string) => (await findOne(db, orgId, environment, id))[0],

  /** At most `limit` rows, the newest first, after the row `after` where it is given (decision 19). */
  newest: ({ limit, after }: { limit: number; after: string | undefined }) =>
    after === undefined
      ? firstPage(db, orgId, environment, limit)
      : laterPage(db, orgId, environment, limit, after),

  /** The row itself is the arbiter: a completed one stays as it is. */
  complete: (id: string, { verdict, at, requestId }: { verdict: Decision; at: Date; requestId: string }) =>
    db
      .updateTable('verifications')
      .set({ status: 'completed', verdict, completedAt: at, completedBy: requestId })
      .where('id', '=', id)
      .where('orgId', '=', orgId)
      .where('environment', '=', environment)
      .where('status', '<>', 'completed'),
});

export type VerificationRow = NonNullable<Awaited<ReturnType<ReturnType<typeof verificationsOf>['find']>>>;
export type ViewedVerification = Pick<VerificationRow, (typeof viewed)[number]>;
