import { sql } from 'kysely';
import { operatorsId } from '#contract/members.ts';
import { newUuid } from '#platform/crypto/crypto.ts';
import type { Db, Store } from '../database/connection.ts';
import { newestLine } from '../ledger.ts';

/** Returns the id of the organisation with this name. If there is no such organisation, creates it. */
export async function ensureOrganisation(db: Db, name: string): Promise<string> {
  await db
    .insertInto('organisations')
    .values({ id: newUuid(), name })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { id } = await db
    .selectFrom('organisations')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return id;
}

/** Creates the row of the operators, if it is missing. */
export async function ensureOperators(db: Db): Promise<void> {
  await db
    .insertInto('organisations')
    .values({ id: operatorsId, name: '' })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Without the row of the operators. */
const organisations = (db: Db) => db.selectFrom('organisations').where('id', '<>', operatorsId);

export async function findOrganisation({ db }: Pick<Store, 'db'>, name: string): Promise<string | undefined> {
  const found = await organisations(db).select('id').where('name', '=', name).executeTakeFirst();
  return found?.id;
}

export async function hasOrganisations({ db }: Pick<Store, 'db'>): Promise<boolean> {
  return (await organisations(db).select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** An operator names an organisation; a member belongs to one. */
export type Which = { name: string } | { id: string };

const one = (db: Db, which: Which) => {
  const all = organisations(db).selectAll();
  return 'id' in which ? all.where('id', '=', which.id) : all.where('name', '=', which.name);
};

export const findSettings = (db: Db, which: Which) => one(db, which).executeTakeFirst();

/** Prevents other changes of the settings until the transaction ends. Rows that refer to the organisation can be written meanwhile. */
export const lockSettings = (tx: Db, which: Which) => one(tx, which).forNoKeyUpdate().executeTakeFirst();

type Row = NonNullable<Awaited<ReturnType<typeof findSettings>>>;

/** Builds the write that changes settings. */
export const updateSettings = (
  tx: Db,
  id: string,
  changed: Partial<Omit<Row, 'id' | 'name' | 'createdAt'>>,
) => tx.updateTable('organisations').set(changed).where('id', '=', id);

/** Returns organisations in the order of their ids, each with the last line of its chain. */
export const organisationsWithHistory = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('organisations')
    .selectAll()
    .select(newestLine('organisations.id'))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();

/** Returns the picture of a logo. Logos are public: each hosted page of the organisation shows it to whoever opens a link. */
export async function findLogoOfAnyOrganisation(db: Db, sha256: Buffer): Promise<Buffer | undefined> {
  const found = await db
    .selectFrom('organisation_logos')
    .select('picture')
    .where('sha256', '=', sha256)
    .limit(1)
    .executeTakeFirst();
  return found?.picture;
}

/** Builds the write that sets the logo of an organisation. */
export const writeLogo = (tx: Db, orgId: string, logo: { sha256: Buffer; picture: Buffer }) =>
  tx
    .insertInto('organisation_logos')
    .values({ orgId, ...logo })
    .onConflict((conflict) => conflict.column('orgId').doUpdateSet({ ...logo, changedAt: sql<Date>`now()` }));

/** Builds the write that removes the logo of an organisation. */
export const deleteLogo = (tx: Db, orgId: string) =>
  tx.deleteFrom('organisation_logos').where('orgId', '=', orgId);
