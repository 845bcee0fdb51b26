import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';

export type FirstSteps = {
  sandboxKey: boolean;
  verification: boolean;
  webhook: boolean;
  appearance: boolean;
  member: boolean;
  liveKey: boolean;
};

/** True if there is a row. An index gives the newest; a mere `exists` reads a whole table in which most rows are another organisation's. */
const newest = (table: string, condition: RawBuilder<unknown>) =>
  sql`(select true from ${sql.table(table)} where ${condition} order by created_at desc, id desc limit 1) is not null`;

/**
 * What a new organisation has done so far, in both environments. A key that ended, and an endpoint that was deleted, count as done.
 * `appearance`: end users can see whom to ask.
 */
export async function findFirstSteps({ orgId }: OrgScope, db: Db): Promise<FirstSteps> {
  const { rows } = await sql<FirstSteps>`
    select exists (select from api_keys where org_id = ${orgId} and environment = 'sandbox') as "sandboxKey",
      ${newest('verifications', sql`org_id = ${orgId} and environment = 'sandbox'`)}
        or ${newest('verifications', sql`org_id = ${orgId} and environment = 'live'`)} as verification,
      ${newest('webhook_endpoints', sql`org_id = ${orgId}`)} as webhook,
      exists (select from organisations where id = ${orgId} and contact is not null) as appearance,
      exists (select from members where org_id = ${orgId} offset 1) as member,
      exists (select from api_keys where org_id = ${orgId} and environment = 'live') as "liveKey"`.execute(
    db,
  );
  const [done] = rows;
  if (done === undefined) throw new Error('a query without a table has one row');
  return done;
}
