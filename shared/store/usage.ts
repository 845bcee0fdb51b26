import { type RawBuilder, sql } from 'kysely';
import type { Store } from './connection.ts';

export type ChargedMonth = {
  organisationId: string;
  organisation: string;
  /** The month in UTC, for example 2026-11. */
  month: string;
  verifications: number;
};

export type ChargedPeriod = { organisationId?: string | undefined; from: Date; before: Date };

/**
 * Counts completed live verifications by the month of their completion. Sandbox verifications are never charged
 * (specification 1).
 */
export const countCharged = (
  { db }: Store,
  { organisationId, from, before }: ChargedPeriod,
): Promise<ChargedMonth[]> =>
  db
    .selectFrom('verifications')
    .innerJoin('organisations', 'organisations.id', 'verifications.orgId')
    .select(['organisations.id as organisationId', 'organisations.name as organisation', month.as('month')])
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('verifications'))
    .where('verifications.environment', '=', 'live')
    .where('verifications.status', '=', 'completed')
    .where('verifications.completedAt', '>=', from)
    .where('verifications.completedAt', '<', before)
    .$if(organisationId !== undefined, (query) =>
      query.where('verifications.orgId', '=', organisationId ?? ''),
    )
    .groupBy(['organisations.id', 'organisations.name', month])
    .orderBy(month)
    .orderBy('organisations.name')
    .execute();

const month: RawBuilder<string> = sql`to_char(verifications.completed_at at time zone 'UTC', 'YYYY-MM')`;
