import { type RawBuilder, sql } from 'kysely';
import type { Issuer } from '#contract/eid.ts';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';

export type StoredContract = { value: Buffer; certificateEndsAt: Date; simulated: boolean };

const json = (issuers: readonly Issuer[]) => sql<Issuer[]>`${JSON.stringify(issuers)}::jsonb`;

/** The contract of an organisation with its acquirer. Only live uses it. */
export const eidContractOf = ({ orgId }: OrgScope, db: Db) => ({
  find: () => db.selectFrom('eid_contracts').selectAll().where('orgId', '=', orgId).executeTakeFirst(),

  /** True if there is a contract whose certificate is not over. */
  works: async (): Promise<boolean> =>
    (await db
      .selectFrom('eid_contracts')
      .select('orgId')
      .where('orgId', '=', orgId)
      .where('certificateEndsAt', '>', sql<Date>`now()`)
      .executeTakeFirst()) !== undefined,

  /** Builds the write that sets the contract, with the banks that its acquirer has just named. */
  set: (contract: StoredContract, issuers: readonly Issuer[]) => {
    const now = sql<Date>`now()`;
    const values = { ...contract, issuers: json(issuers), issuersAt: now, changedAt: now };
    return db
      .insertInto('eid_contracts')
      .values({ orgId, ...values })
      .onConflict((conflict) => conflict.column('orgId').doUpdateSet(values));
  },

  /** Builds the write that removes the contract. */
  remove: () => db.deleteFrom('eid_contracts').where('orgId', '=', orgId),
});

/** Contracts whose banks were named before `namedBefore`, sealed. */
export const findStaleIssuersOfAnyOrganisation = (db: Db, namedBefore: Date, limit: number) =>
  db
    .selectFrom('eid_contracts')
    .select(['orgId', 'value', 'changedAt'])
    .where('issuersAt', '<', namedBefore)
    .orderBy('issuersAt')
    .limit(limit)
    .execute();

/** Keeps the banks that an acquirer named, unless the contract was changed since `changedAt`. */
export const keepIssuersOfAnyOrganisation = (
  db: Db,
  { orgId, changedAt }: { orgId: string; changedAt: Date },
  issuers: readonly Issuer[],
) =>
  db
    .updateTable('eid_contracts')
    .set({ issuers: json(issuers), issuersAt: sql<Date>`now()` })
    .where('orgId', '=', orgId)
    .where('changedAt', '=', changedAt)
    .execute();

/**
 * The seconds until the first certificate of a contract is over, negative after that, and since the oldest list of banks was named. Undefined
 * if there is no contract.
 */
export async function contractTimesOfAnyOrganisation(
  db: Db,
): Promise<{ certificateLeft: number; bankListAge: number } | undefined> {
  const { certificateLeft, bankListAge } = await db
    .selectFrom('eid_contracts')
    .select(secondsOf(sql`min(certificate_ends_at) - now()`).as('certificateLeft'))
    .select(secondsOf(sql`now() - min(issuers_at)`).as('bankListAge'))
    .executeTakeFirstOrThrow();
  return certificateLeft === null || bankListAge === null ? undefined : { certificateLeft, bankListAge };
}

const secondsOf = (interval: RawBuilder<unknown>) =>
  sql<number | null>`extract(epoch from ${interval})::float8`;
