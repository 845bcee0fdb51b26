import { sql } from 'kysely';
import type { ChosenMethod, DecisionRule, Method, Scenario, VerificationStatus } from '#contract/enums.ts';
import { limits } from '#contract/limits.ts';
import type { Decision } from '#contract/workflows.ts';
import type { Db } from '../database/connection.ts';
import { comesAfter } from '../database/paging.ts';
import type { OrgScope } from '../database/scope.ts';
import { compiledOnce, transactionTime } from '../database/statements.ts';
import { completionByLedger, linesOfEvidence, newestLine, newestOf } from '../ledger.ts';
import { shownToEndUsers } from '../organisations/settings.ts';
import { subscribers, type TypesOfMoment } from '../webhooks/events.ts';
import { hashesOfPictures } from './evidence.ts';

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

type Wanted = OfScope & { id: string };

const findOne = compiledOnce((db: Db, wanted: Wanted) =>
  ofScope(db, wanted)
    .select([
      ...viewed,
      'verdict',
      'orgId',
      'scenario',
      'linkExpiresAt',
      'submittedAt',
      'cancelledAt',
      'completedBy',
    ])
    .where('id', '=', wanted.id),
);

type PageOf = OfScope & { limit: number };

/** Leaves out income checks. The condition is that of an index, so it has no parameter. */
const isVerification = sql<boolean>`method <> 'income'`;

const newestFirst = (db: Db, page: PageOf) =>
  ofScope(db, page)
    .select([...viewed, verdictInShort])
    .where(isVerification)
    .$narrowType<OfChosenMethod>()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit);

type Newest = ReturnType<typeof newestFirst>;

type OfChosenMethod = { method: ChosenMethod };
type Later = PageOf & { after: string };

const afterRow = (query: Newest, { after, orgId, environment }: Later): Newest =>
  query.where(comesAfter('verifications', after, { orgId, environment }, isVerification));

const firstPage = compiledOnce(newestFirst);
const laterPage = compiledOnce((db: Db, page: Later) => afterRow(newestFirst(db, page), page));

type Filter = { status?: VerificationStatus | undefined; reference?: string | undefined };

const change = (db: Db, { orgId, environment, id }: Wanted) =>
  db
    .updateTable('verifications')
    .where('id', '=', id)
    .where('orgId', '=', orgId)
    .where('environment', '=', environment);

/** The id stays as it is, so rows that refer to the verification can be written meanwhile. */
const locked = (db: Db, wanted: Wanted) =>
  ofScope(db, wanted)
    .select(['id', 'orgId', 'environment', 'status', 'method', 'reference', 'scenario'])
    .select([
      'linkVersion',
      'linkExpiresAt',
      'submittedAt',
      'cancelledAt',
      'withdrawnAt',
      'erasedAt',
      'runDueSince',
    ])
    .select(transactionTime)
    .where('id', '=', wanted.id)
    .forNoKeyUpdate();

const lockOne = compiledOnce(locked);

/** Read in the query that locks the verification, which saves a query. */
const decisionRule = sql<DecisionRule>`(
  select decisions from organisations where organisations.id = verifications.org_id
)`.as('rule');

const lockOneWithSubscribers = compiledOnce((db: Db, wanted: Wanted & TypesOfMoment) =>
  locked(db, wanted).select(subscribers('verifications', wanted)).select(decisionRule),
);

export const verificationsOf = ({ orgId, environment }: OrgScope, db: Db) => ({
  /** Finds an income check too. */
  find: async (id: string) => (await findOne(db, { orgId, environment, id }))[0],

  /** Returns at most `limit` rows, newest first, that follow the row with id `after` (decision 19). */
  newest({ limit, after, status, reference }: Filter & { limit: number; after: string | undefined }) {
    const page = { orgId, environment, limit };
    if (status === undefined && reference === undefined)
      return after === undefined ? firstPage(db, page) : laterPage(db, { ...page, after });
    let query = newestFirst(db, page);
    if (status !== undefined) query = query.where('status', '=', status);
    if (reference !== undefined) query = query.where('reference', '=', reference);
    if (after !== undefined) query = afterRow(query, { ...page, after });
    return query.execute();
  },

  insert: (verification: NewVerification) =>
    db.insertInto('verifications').values({ ...verification, orgId, environment }),

  start: (id: string, linkExpiresAt: Date) =>
    change(db, { orgId, environment, id })
      .set({ status: 'in_progress', linkExpiresAt, withdrawnAt: null })
      .where('status', '<>', 'completed'),

  /** The link opens nothing any more. `withdrawn` if the person took the consent back. */
  cancel: (id: string, { at, withdrawn }: { at: Date; withdrawn: boolean }) =>
    change(db, { orgId, environment, id }).set({ cancelledAt: at, ...(withdrawn && { withdrawnAt: at }) }),

  /** Replaces the link. The verification is no longer cancelled. */
  renewLink: (id: string, link: { linkVersion: number; linkKeyId: string; linkExpiresAt: Date }) =>
    change(db, { orgId, environment, id }).set({ ...link, cancelledAt: null }),

  /** Empties what the row has of the person. */
  erase: (id: string, { at, cancelledAt }: { at: Date; cancelledAt: Date | null }) =>
    change(db, { orgId, environment, id }).set({ reference: null, erasedAt: at, cancelledAt }),

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

  /** Prevents other changes to the verification until the transaction ends. */
  lock: async (id: string) => (await lockOne(db, { orgId, environment, id }))[0],

  /**
   * Locks the verification. Also returns the endpoints that subscribe to the event of this moment, and as `rule` the organisation's
   * setting who decides, which saves queries.
   */
  lockWithSubscribers: async (id: string, types: TypesOfMoment) =>
    (await lockOneWithSubscribers(db, { orgId, environment, id, ...types }))[0],

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
  runDueSince: Date | null;
};

export type VerificationRow = NonNullable<Awaited<ReturnType<ReturnType<typeof verificationsOf>['find']>>>;
export type LockedVerification = NonNullable<Awaited<ReturnType<ReturnType<typeof verificationsOf>['lock']>>>;
/** A verification and no income check. */
export type ChosenVerification = Omit<Pick<VerificationRow, (typeof viewed)[number]>, 'method'> &
  OfChosenMethod & { verdict: VerdictInShort | null };

/** Searches all organisations. The caller must then check whether the link is genuine. */
export const findLinkOfAnyOrganisation = (db: Db, verificationId: string) =>
  db
    .selectFrom('verifications')
    .innerJoin('organisations', 'organisations.id', 'verifications.orgId')
    .leftJoin('organisation_logos', 'organisation_logos.orgId', 'organisations.id')
    .select([
      'verifications.id',
      'verifications.orgId',
      'verifications.environment',
      'verifications.status',
      'verifications.method',
      'verifications.linkVersion',
      'verifications.linkKeyId',
      'verifications.linkExpiresAt',
      'verifications.submittedAt',
      'verifications.cancelledAt',
      'verifications.withdrawnAt',
      ...shownToEndUsers,
      verdictInShort,
    ])
    .where('verifications.id', '=', verificationId)
    .executeTakeFirst();

const aMinuteAgo = sql<Date>`now() - interval '1 minute'`;

/**
 * Returns the members of `ids` that a workflow may work on. The verification is open, or was completed within the last minute, so its
 * run may be about to end. Or its create is in progress: its claim comes before its row.
 */
export const verificationsAtWorkOfAnyOrganisation = async (
  db: Db,
  ids: readonly string[],
): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('verifications')
    .select('id')
    .where('id', 'in', ids)
    .where((eb) => eb.or([eb('status', '<>', 'completed'), eb('completedAt', '>', aMinuteAgo)]))
    .unionAll(db.selectFrom('requests').select('id').where('id', 'in', ids).where('status', '=', 'claimed'))
    .execute();
  return new Set(rows.map(({ id }) => id));
};

/**
 * Verifications in the order of their ids, with the last line of each in the ledger. One transaction writes a verdict and its event.
 * So `lacksEvent` is true only if somebody edited rows. A count makes Postgres search the events of each verification; for
 * `not exists` it would read all events.
 */
export const verificationsWithHistoryOfAnyOrganisation = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('verifications')
    .select(['id', 'status', 'submittedAt', 'completedAt', 'linkExpiresAt', 'verdict'])
    .select(['cancelledAt', 'withdrawnAt', 'erasedAt', 'relationEndedAt', 'relationContinues'])
    .select(newestLine('verifications.id'))
    .select(completionByLedger.as('completion'))
    .select(newestOf('verification.created', 'verification.started', 'verification.link_renewed').as('link'))
    .select(
      newestOf('verification.cancelled', 'verification.withdrawn', 'verification.link_renewed').as('stop'),
    )
    .select(newestOf('verification.started', 'verification.withdrawn').as('consent'))
    .select(newestOf('verification.erased').as('erasure'))
    .select(newestOf('relation.ended', 'relation.continues').as('relation'))
    .select(linesOfEvidence.as('evidenceLines'))
    .select(hashesOfPictures.as('pictures'))
    .select(
      sql<boolean>`status = 'completed' and (select count(*) from events where verification_id = verifications.id)
        < case when verdict ->> 'reviewed' = 'true' then 2 else 1 end`.as('lacksEvent'),
    )
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
