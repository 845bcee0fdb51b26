import { sql } from 'kysely';
import type { Engine, MadeCheck } from '#contract/examinations.ts';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';
import { madeChecks, storedChecks } from '../made-checks.ts';

export type { Engine } from '#contract/examinations.ts';

type Sent = { id: string; submittedAt: Date };

/**
 * Counts the documents of live that were sent before this one and wait for their examination, among the `amongMax` newest that have no
 * verdict. It tells a person how long the queue is, and says nothing about whose they are.
 */
export async function countSentBeforeOfAnyOrganisation(
  db: Db,
  { id, submittedAt }: Sent,
  amongMax: number,
): Promise<number> {
  const { count } = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('verifications')
        .select(['verifications.id', 'environment'])
        .where('status', '<>', 'completed')
        .where('cancelledAt', 'is', null)
        .where('submittedAt', '<=', submittedAt)
        .where((row) => row(row.refTuple('submittedAt', 'verifications.id'), '<', row.tuple(submittedAt, id)))
        .orderBy('submittedAt', 'desc')
        .orderBy('verifications.id', 'desc')
        .limit(amongMax)
        .as('sent'),
    )
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .where('sent.environment', '=', 'live')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('examinations').select('number').whereRef('verificationId', '=', 'sent.id'))),
    )
    .executeTakeFirstOrThrow();
  return count;
}

/** The examinations of one verification. */
export const examinationsOf = ({ orgId, environment }: OrgScope, db: Db, verificationId: string) => ({
  /** The checks of each examination with what made them, oldest first. Null for an examination that failed. */
  async found(): Promise<(MadeCheck[] | null)[]> {
    const rows = await db
      .selectFrom('examinations')
      .select(['checks', 'makings', 'engine'])
      .where('verificationId', '=', verificationId)
      .orderBy('number')
      .execute();
    return rows.map(({ checks, ...others }) => checks && madeChecks({ checks, ...others }));
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

  /**
   * Adds an examination, or null for one that failed. Does nothing if the verification is not waiting for its verdict. The caller must hold
   * a lock on the verification.
   */
  async add(made: readonly MadeCheck[] | null): Promise<void> {
    const { checks, makings, engine } = made === null ? nothing : storedChecks(made);
    const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
    await sql`
      insert into examinations (verification_id, number, checks, makings, engine)
      select id,
        1 + (select count(*) from examinations where verification_id = ${verificationId}),
        ${json(checks)}::jsonb, ${json(makings)}::jsonb, ${json(engine)}::jsonb
      from verifications
      where id = ${verificationId} and org_id = ${orgId} and environment = ${environment}
        and submitted_at is not null and status <> 'completed' and cancelled_at is null`.execute(db);
  },
});

const nothing = { checks: null, makings: null, engine: null };
