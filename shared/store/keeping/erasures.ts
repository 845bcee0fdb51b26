import type { NotNull } from 'kysely';
import type { Db } from '../database/connection.ts';

type Erasures = { after: { at: Date; id: string }; limit: number };

/** Erased verifications, in the order of their erasure. */
export const erasedVerificationsOfAnyOrganisation = (db: Db, { after, limit }: Erasures) =>
  db
    .selectFrom('verifications')
    .select(['id', 'erasedAt'])
    .where('erasedAt', 'is not', null)
    .where((eb) => eb(eb.refTuple('erasedAt', 'id'), '>', eb.tuple(after.at, after.id)))
    .where('erasedAt', '>=', after.at)
    .$narrowType<{ erasedAt: NotNull }>()
    .orderBy('erasedAt')
    .orderBy('id')
    .limit(limit)
    .execute();

/** Those of the verifications that are not erased. */
export const notErasedOfAnyOrganisation = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('verifications')
    .select(['id', 'orgId', 'environment'])
    .where('id', 'in', ids)
    .where('erasedAt', 'is', null)
    .execute();
