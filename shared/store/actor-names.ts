import type { NotNull } from 'kysely';
import type { Db } from './database/connection.ts';
import type { OrgScope } from './database/scope.ts';

/** The e-mail addresses of members by id. Somebody who was removed has none. */
export const findEmails = ({ orgId }: OrgScope, db: Db, ids: readonly string[]) =>
  db
    .selectFrom('members')
    .select(['id', 'email'])
    .where('orgId', '=', orgId)
    .where('id', 'in', ids)
    .where('email', 'is not', null)
    .$narrowType<{ email: NotNull }>()
    .execute();

/** What members call keys of the organisation. */
export const findKeyNames = ({ orgId }: OrgScope, db: Db, ids: readonly string[]) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'name', 'display'])
    .where('orgId', '=', orgId)
    .where('id', 'in', ids)
    .execute();
