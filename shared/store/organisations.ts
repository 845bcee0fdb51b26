import { newUuid } from '#platform/crypto.ts';
import type { Db, Store } from './connection.ts';

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
