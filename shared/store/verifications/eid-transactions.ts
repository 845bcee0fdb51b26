import { type SqlBool, sql } from 'kysely';
import { type EidStatus, openEidStatuses } from '#contract/eid.ts';
import type { Language } from '#contract/enums.ts';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';

type NewTransaction = { id: string; issuerId: string; language: Language; createdAt: Date; endsAt: Date };

type Changed = {
  status?: EidStatus;
  codeHash?: Buffer;
  transactionId?: string;
  redirect?: Buffer | null;
  asks?: number;
  nextAskAt?: Date;
  endsAt?: Date;
};

/** The text is that of the index `eid_transactions_due`, so that Postgres uses it. */
const isOpenVisit = sql<SqlBool>`(eid_transactions.status = any (array['wanted', 'asked', 'open']))`;

/** The visits to banks of one verification. To change one, the caller must hold a lock on the verification. */
export const eidTransactionsOf = ({ orgId, environment }: OrgScope, db: Db, verificationId: string) => {
  const ofVerification = db
    .selectFrom('eid_transactions')
    .where('verificationId', '=', verificationId)
    .where('orgId', '=', orgId)
    .where('environment', '=', environment);
  const update = db
    .updateTable('eid_transactions')
    .where('verificationId', '=', verificationId)
    .where('orgId', '=', orgId)
    .where('environment', '=', environment);
  return {
    /** The newest visits, the newest first. */
    newest: (limit: number) =>
      ofVerification.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute(),

    find: (id: string) => ofVerification.selectAll().where('id', '=', id).executeTakeFirst(),

    /** The visits that are not over, the oldest first. */
    open: () =>
      ofVerification.selectAll().where('status', 'in', openEidStatuses).orderBy('createdAt').execute(),

    add: async (transaction: NewTransaction): Promise<void> => {
      const { createdAt: nextAskAt } = transaction;
      await db
        .insertInto('eid_transactions')
        .values({ ...transaction, verificationId, orgId, environment, status: 'wanted', nextAskAt })
        .execute();
    },

    /** Changes a visit that has this status. Another one stays as it is. */
    change: async (id: string, from: EidStatus, changed: Changed): Promise<void> => {
      await update.set(changed).where('id', '=', id).where('status', '=', from).execute();
    },

    /** Notes that the browser of the visit came back, which makes the next question due once. Returns true if a question is due now. */
    noteReturn: async (id: string): Promise<boolean> => {
      const now = sql<Date>`now()`;
      const noted = await update
        .set({ returnedAt: now, nextAskAt: now })
        .where('id', '=', id)
        .where('status', '=', 'open')
        .where('returnedAt', 'is', null)
        .executeTakeFirst();
      // A time that was just written may be rounded up, so it is not compared with the clock.
      if (noted.numUpdatedRows > 0n) return true;
      const due = ofVerification.select('id').where('id', '=', id).where('status', '=', 'open');
      return (await due.where('nextAskAt', '<=', now).executeTakeFirst()) !== undefined;
    },

    /** Builds the write that ends the visits of a link that is replaced. No code may lead to the new link. */
    endWithLink: () =>
      update.set({
        status: sql<EidStatus>`case when ${isOpenVisit} then 'replaced' else eid_transactions.status end`,
        codeHash: null,
        redirect: null,
      }),

    /** Builds the write that removes all visits of the person. */
    removeAll: () =>
      db
        .deleteFrom('eid_transactions')
        .where('verificationId', '=', verificationId)
        .where('orgId', '=', orgId)
        .where('environment', '=', environment),
  };
};

/** Finds a visit by the code in the address with which a browser came back. The caller proves nothing else. */
export const findReturnOfAnyOrganisation = (db: Db, codeHash: Buffer) =>
  db
    .selectFrom('eid_transactions')
    .innerJoin('verifications', 'verifications.id', 'eid_transactions.verificationId')
    .select(['eid_transactions.id', 'verificationId', 'eid_transactions.orgId', 'transactionId', 'language'])
    .select(['eid_transactions.environment', 'eid_transactions.endsAt', 'linkVersion', 'linkKeyId'])
    .where('codeHash', '=', codeHash)
    .executeTakeFirst();

type Overdue = { after: { at: Date; id: string }; dueBefore: Date; limit: number };

/** Visits of open flows for which nothing was done in time, the oldest first: the run was lost (decision 36). */
export const findOverdueVisitsOfAnyOrganisation = (db: Db, { after, dueBefore, limit }: Overdue) =>
  db
    .selectFrom('eid_transactions')
    .innerJoin('verifications', 'verifications.id', 'eid_transactions.verificationId')
    .select(['eid_transactions.id', 'verificationId', 'verifications.orgId', 'verifications.environment'])
    .select(['verifications.method', 'nextAskAt'])
    .where(isOpenVisit)
    .where('nextAskAt', '<', dueBefore)
    .where((eb) => eb(eb.refTuple('nextAskAt', 'eid_transactions.id'), '>', eb.tuple(after.at, after.id)))
    .where('verifications.status', '=', 'in_progress')
    .where('verifications.submittedAt', 'is', null)
    .where('verifications.cancelledAt', 'is', null)
    .orderBy('nextAskAt')
    .orderBy('eid_transactions.id')
    .limit(limit)
    .execute();
