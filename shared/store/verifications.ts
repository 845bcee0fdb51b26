import { type NotNull, sql } from 'kysely';
import type { Method, Scenario, VerificationStatus } from '#contract/enums.ts';
import type { SubscribableType } from '#contract/events.ts';
import { limits } from '#contract/limits.ts';
import type { Decision } from '#contract/workflows.ts';
import type { Db } from './connection.ts';
import { subscribers } from './events.ts';
import { comesAfter } from './paging.ts';
import type { OrgScope } from './scope.ts';
import { compiledOnce, transactionTime } from './statements.ts';

/** The columns that a view of a verification needs, without the verdict. */
const viewed = [
  ...(['id', 'environment', 'status', 'method', 'reference', 'dossierRef'] as const),
  ...(['linkVersion', 'linkKeyId', 'createdAt'] as const),
] as const;

export type VerdictInShort = Omit<Decision, 'checks'>;

/** Lists omit the checks, which are the largest part of a row. */
const verdictInShort = sql<VerdictInShort | null>`verdict - 'checks'`.as('verdict');

type OfScope = Pick<OrgScope, 'orgId' | 'environment'>;

const ofScope = (db: Db, { orgId, environment }: OfScope) =>
  db.selectFrom('verifications').where('orgId', '=', orgId).where('environment', '=', environment);

const findOne = compiledOnce((db: Db, wanted: OfScope & { id: string }) =>
  ofScope(db, wanted)
    .select([...viewed, 'verdict', 'orgId', 'scenario', 'linkExpiresAt', 'submittedAt', 'completedBy'])
    .where('id', '=', wanted.id),
);

type PageOf = OfScope & { limit: number };

const newestFirst = (db: Db, page: PageOf) =>
  ofScope(db, page)
    .select([...viewed, verdictInShort])
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit);

type Newest = ReturnType<typeof newestFirst>;
type Later = PageOf & { after: string };

const afterRow = (query: Newest, db: Db, page: Later): Newest =>
  query.where(
    comesAfter('verifications', ofScope(db, page).select(['createdAt', 'id']).where('id', '=', page.after)),
  );

const firstPage = compiledOnce(newestFirst);
const laterPage = compiledOnce((db: Db, page: Later) => afterRow(newestFirst(db, page), db, page));

type Filter = { status?: VerificationStatus | undefined; reference?: string | undefined };

const change = (db: Db, { orgId, environment, id }: OfScope & { id: string }) =>
  db
    .updateTable('verifications')
    .where('id', '=', id)
    .where('orgId', '=', orgId)
    .where('environment', '=', environment);

export const verificationsOf = ({ orgId, environment }: OrgScope, db: Db) => ({
  find: async (id: string) => (await findOne(db, { orgId, environment, id }))[0],

  /** Returns at most `limit` rows, newest first, that follow the row with id `after` (decision 19). */
  newest({ limit, after, status, reference }: Filter & { limit: number; after: string | undefined }) {
    const page = { orgId, environment, limit };
    if (status === undefined && reference === undefined)
      return after === undefined ? firstPage(db, page) : laterPage(db, { ...page, after });
    let query = newestFirst(db, page);
    if (status !== undefined) query = query.where('status', '=', status);
    if (reference !== undefined) query = query.where('reference', '=', reference);
    if (after !== undefined) query = afterRow(query, db, { ...page, after });
    return query.execute();
  },

  insert: (verification: NewVerification) =>
    db.insertInto('verifications').values({ ...verification, orgId, environment }),

  start: (id: string, linkExpiresAt: Date) =>
    change(db, { orgId, environment, id })
      .set({ status: 'in_progress', linkExpiresAt })
      .where('status', '=', 'pending'),

  /** Counts an uploaded picture before it is examined. Returns false if the limit `picturesPerVerificationMax` is reached. */
  async countPicture(id: string): Promise<boolean> {
    const { numUpdatedRows } = await change(db, { orgId, environment, id })
      .set((eb) => ({ picturesTaken: eb('picturesTaken', '+', 1) }))
      .where('picturesTaken', '<', limits.picturesPerVerificationMax)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  submit: (id: string, at: Date) =>
    change(db, { orgId, environment, id }).set({ submittedAt: at }).where('status', '=', 'in_progress'),

  /** Does nothing if the verification is already completed. */
  complete: (
    id: string,
    { verdict, at, requestId }: { verdict: Decision; at: Date; requestId: string | null },
  ) =>
    change(db, { orgId, environment, id })
      .set({ status: 'completed', verdict, completedAt: at, completedBy: requestId })
      .where('status', '<>', 'completed'),
});

type NewVerification = {
  id: string;
  status: VerificationStatus;
  method: Method;
  reference: string | null;
  scenario: Scenario | null;
  dossierRef: string;
  linkVersion: number;
  linkKeyId: string;
  linkExpiresAt: Date;
  verdict: Decision | null;
  createdAt: Date;
  completedAt: Date | null;
};

export type VerificationRow = NonNullable<Awaited<ReturnType<ReturnType<typeof verificationsOf>['find']>>>;
export type ViewedVerification = Pick<VerificationRow, (typeof viewed)[number]> & {
  verdict: VerdictInShort | null;
};

/** Searches all organisations. The caller must then check whether the link is genuine. */
export const findLinkOfAnyOrganisation = (db: Db, verificationId: string) =>
  db
    .selectFrom('verifications')
    .innerJoin('organisations', 'organisations.id', 'verifications.orgId')
    .select([
      'verifications.id',
      'verifications.orgId',
      'verifications.environment',
      'verifications.status',
      'verifications.method',
      'verifications.scenario',
      'verifications.linkVersion',
      'verifications.linkKeyId',
      'verifications.linkExpiresAt',
      'verifications.submittedAt',
      'organisations.name as organisation',
    ])
    .where('verifications.id', '=', verificationId)
    .executeTakeFirst();

/** Prevents other changes to the verification until the transaction ends. */
export const lockVerificationOfAnyOrganisation = async (db: Db, id: string) => (await lockOne(db, { id }))[0];

/** Locks the verification and also returns the endpoints that subscribe to this event type, which saves a query. */
export const lockVerificationAndSubscribersOfAnyOrganisation = async (
  db: Db,
  id: string,
  type: SubscribableType,
) => (await lockOneAndSubscribers(db, { id, type }))[0];

const locked = (db: Db, id: string) =>
  db
    .selectFrom('verifications')
    .select(['id', 'orgId', 'environment', 'status', 'method', 'reference'])
    .select(['linkExpiresAt', 'submittedAt', transactionTime])
    .where('id', '=', id)
    .forUpdate();

const lockOne = compiledOnce((db: Db, { id }: { id: string }) => locked(db, id));

const lockOneAndSubscribers = compiledOnce((db: Db, { id, type }: { id: string; type: SubscribableType }) =>
  locked(db, id).select(subscribers('verifications', type)),
);

type Submissions = { after: { at: Date; id: string }; submittedBefore: Date; limit: number };

/** Submitted verifications without a verdict, oldest first (decision 36). */
export const findUnsettledSubmissionsOfAnyOrganisation = (
  db: Db,
  { after, submittedBefore, limit }: Submissions,
) =>
  db
    .selectFrom('verifications')
    .select(['id', 'orgId', 'environment', 'method', 'scenario', 'submittedAt'])
    .where('status', '<>', 'completed')
    .where((eb) => eb(eb.refTuple('submittedAt', 'id'), '>', eb.tuple(after.at, after.id)))
    .where('submittedAt', '<', submittedBefore)
    .$narrowType<{ submittedAt: NotNull }>()
    .orderBy('submittedAt')
    .orderBy('id')
    .limit(limit)
    .execute();

export const countUnsettledSubmissionsOfAnyOrganisation = async (db: Db): Promise<number> => {
  const { unsettled } = await db
    .selectFrom('verifications')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('unsettled'))
    .where('submittedAt', 'is not', null)
    .where('status', '<>', 'completed')
    .executeTakeFirstOrThrow();
  return unsettled;
};

/** Returns the members of `ids` that have a row. */
export const knownVerificationsOfAnyOrganisation = async (
  db: Db,
  ids: readonly string[],
): Promise<Set<string>> => {
  const rows = await db.selectFrom('verifications').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
};

/** One transaction writes a verdict and its event. So the count is above 0 only if somebody edited rows. */
export const countCompletedWithoutEventOfAnyOrganisation = async (db: Db): Promise<number> => {
  const { lacking } = await db
    .selectFrom('verifications')
    .leftJoin('events', 'events.verificationId', 'verifications.id')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('lacking'))
    .where('verifications.status', '=', 'completed')
    .where('events.id', 'is', null)
    .executeTakeFirstOrThrow();
  return lacking;
};
