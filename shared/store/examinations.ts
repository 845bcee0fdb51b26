import { sql } from 'kysely';
import type { Check } from '#contract/workflows.ts';
import type { Db } from './connection.ts';
import type { Engine } from './entities/examination.ts';
import type { OrgScope } from './scope.ts';

export type { Engine } from './entities/examination.ts';

/** The examinations of one verification. */
export const examinationsOf = ({ orgId, environment }: OrgScope, db: Db, verificationId: string) => ({
  /** The checks of each examination, oldest first. Null for an examination that failed. */
  async found(): Promise<(Check[] | null)[]> {
    const rows = await db
      .selectFrom('examinations')
      .select('checks')
      .where('verificationId', '=', verificationId)
      .orderBy('number')
      .execute();
    return rows.map(({ checks }) => checks);
  },

  /** The engine of the newest examination that did not fail. The verdict is computed from this examination. */
  async engine(): Promise<Engine | null> {
    const row = await db
      .selectFrom('examinations')
      .select('engine')
      .where('verificationId', '=', verificationId)
      .where('checks', 'is not', null)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.engine ?? null;
  },

  /** Does nothing if the verification is not waiting for its verdict. The caller must hold a lock on the verification. */
  async add(checks: readonly Check[] | null, engine: Engine | null = null): Promise<void> {
    await sql`
      insert into examinations (verification_id, number, checks, engine)
      select id,
        1 + (select count(*) from examinations where verification_id = ${verificationId}),
        ${checks && JSON.stringify(checks)}::jsonb,
        ${checks && engine && JSON.stringify(engine)}::jsonb
      from verifications
      where id = ${verificationId} and org_id = ${orgId} and environment = ${environment}
        and submitted_at is not null and status <> 'completed' and cancelled_at is null`.execute(db);
  },
});
