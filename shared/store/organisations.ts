import { newUuid } from '#platform/crypto.ts';
import type { Db, Store } from './connection.ts';
import { newestLine } from './ledger.ts';

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

export async function findOrganisation({ db }: Pick<Store, 'db'>, name: string): Promise<string | undefined> {
  const found = await db.selectFrom('organisations').select('id').where('name', '=', name).executeTakeFirst();
  return found?.id;
}

export async function hasOrganisations({ db }: Pick<Store, 'db'>): Promise<boolean> {
  return (await db.selectFrom('organisations').select('id').limit(1).executeTakeFirst()) !== undefined;
}

const ofName = (db: Db, name: string) => db.selectFrom('organisations').selectAll().where('name', '=', name);

export const findSettings = (db: Db, name: string) => ofName(db, name).executeTakeFirst();

/** Prevents other changes of the settings until the transaction ends. Rows that refer to the organisation can be written meanwhile. */
export const lockSettings = (tx: Db, name: string) => ofName(tx, name).forNoKeyUpdate().executeTakeFirst();

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
