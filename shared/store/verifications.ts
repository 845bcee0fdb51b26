import type { Db } from './orm.ts';
import type { OrgScope } from './scope.ts';

/** Verifications of one organisation in one environment. */
export const verificationsOf = (scope: OrgScope, db: Db) => ({
  find: (id: string) =>
    db
      .selectFrom('verifications')
      .selectAll()
      .where('id', '=', id)
      .where('orgId', '=', scope.orgId)
      .where('environment', '=', scope.environment)
      .executeTakeFirst(),
});

export type VerificationRow = NonNullable<Awaited<ReturnType<ReturnType<typeof verificationsOf>['find']>>>;
