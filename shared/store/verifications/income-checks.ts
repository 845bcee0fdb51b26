import { sql } from 'kysely';
import type { IncomeDocumentType } from '#contract/enums.ts';
import type { Db } from '../database/connection.ts';
import { comesAfter } from '../database/paging.ts';
import type { OrgScope } from '../database/scope.ts';
import { compiledOnce } from '../database/statements.ts';

type OfScope = Pick<OrgScope, 'orgId' | 'environment'>;

/** The condition is that of an index, so it has no parameter. */
const isIncomeCheck = sql<boolean>`method = 'income'`;

/** The documents that are stored, as soon as they were sent: before that they can be taken back. */
const sentPapers = sql<{ id: string; sha256: string }[]>`(
  select coalesce(json_agg(json_build_object('id', id, 'sha256', encode(sha256, 'hex')) order by id), '[]')
  from income_files
  where verification_id = verifications.id and submitted_at is not null
)`.as('papers');

const ofScope = (db: Db, { orgId, environment }: OfScope) =>
  db
    .selectFrom('verifications')
    .innerJoin('income_checks', 'income_checks.verificationId', 'verifications.id')
    .leftJoin('data_keys', 'data_keys.verificationId', 'verifications.id')
    .select([
      ...(['judgement', 'data_keys.value as dataKey'] as const),
      ...(['verifications.id', 'environment', 'status', 'reference', 'dossierRef', 'linkVersion'] as const),
      ...(['linkKeyId', 'verifications.createdAt', 'verdict', 'linkedId'] as const),
      sentPapers,
    ])
    .where('verifications.orgId', '=', orgId)
    .where('environment', '=', environment)
    .where(isIncomeCheck);

const findOne = compiledOnce((db: Db, wanted: OfScope & { id: string }) =>
  ofScope(db, wanted).where('verifications.id', '=', wanted.id),
);

type PageOf = OfScope & { limit: number };
const newestFirst = (db: Db, page: PageOf) =>
  ofScope(db, page)
    .orderBy('verifications.createdAt', 'desc')
    .orderBy('verifications.id', 'desc')
    .limit(page.limit);

const firstPage = compiledOnce(newestFirst);
const laterPage = compiledOnce((db: Db, page: PageOf & { after: string }) =>
  newestFirst(db, page).where(
    comesAfter(
      'verifications',
      page.after,
      { orgId: page.orgId, environment: page.environment },
      isIncomeCheck,
    ),
  ),
);

/** What an income check has beside the row of its life, which is one of `verifications`. */
export const incomeChecksOf = ({ orgId, environment }: OrgScope, db: Db) => ({
  find: async (id: string) => (await findOne(db, { orgId, environment, id }))[0],

  /** Returns at most `limit` rows, newest first, that follow the row with id `after` (decision 19). */
  newest: ({ limit, after }: { limit: number; after: string | undefined }) =>
    after === undefined
      ? firstPage(db, { orgId, environment, limit })
      : laterPage(db, { orgId, environment, limit, after }),

  insert: (check: NewIncomeCheck) => db.insertInto('income_checks').values({ ...check, orgId }),

  /** What the documents are judged by. */
  asked: (verificationId: string) =>
    db
      .selectFrom('income_checks')
      .select(['linkedId', 'documentTypes'])
      .where('verificationId', '=', verificationId)
      .where('orgId', '=', orgId)
      .executeTakeFirst(),

  /** Builds the write that keeps what the documents mean, sealed, or forgets it. */
  keepJudgement: (verificationId: string, judgement: Buffer | null) =>
    db
      .updateTable('income_checks')
      .set({ judgement })
      .where('verificationId', '=', verificationId)
      .where('orgId', '=', orgId),
});

type NewIncomeCheck = {
  verificationId: string;
  /** A verification of the same person. */
  linkedId: string | null;
  /** The documents that the person is asked for. Null if the person chooses. */
  documentTypes: IncomeDocumentType[] | null;
};

export type IncomeCheckRow = NonNullable<Awaited<ReturnType<ReturnType<typeof incomeChecksOf>['find']>>>;
