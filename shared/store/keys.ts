import type { Store } from './orm.ts';

/** Keys for the operator who holds the database; partners see their own in the console. */
export const listKeys = ({ db }: Store, organisation?: string) =>
  db
    .selectFrom('api_keys')
    .innerJoin('organisations', 'organisations.id', 'api_keys.orgId')
    .select([
      'api_keys.id',
      'api_keys.orgId',
      'api_keys.environment',
      'api_keys.name',
      'api_keys.display',
      'api_keys.grants',
      'api_keys.rateLimit',
      'api_keys.createdAt',
      'api_keys.expiresAt',
      'api_keys.revokedAt',
      'organisations.name as organisation',
    ])
    .$if(organisation !== undefined, (query) => query.where('organisations.name', '=', organisation ?? ''))
    .orderBy('api_keys.createdAt')
    .execute();

/** False when there is no such key, or it was revoked before. */
export async function revokeKey({ db }: Store, id: string, at: Date): Promise<boolean> {
  const revoked = await db
    .updateTable('api_keys')
    .set({ revokedAt: at })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return revoked !== undefined;
}
