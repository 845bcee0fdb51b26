import { sql } from 'kysely';
import type { AttemptReason } from '#contract/enums.ts';
import { limits } from '#contract/limits.ts';
import type { Db } from '../database/connection.ts';
import { comesAfter } from '../database/paging.ts';
import type { OrgScope } from '../database/scope.ts';

const watched = [
  ...(['id', 'url', 'description', 'eventTypes', 'environment', 'active', 'createdAt'] as const),
  ...(['consecutiveFailures', 'failingSince', 'lastSuccessAt', 'previousSecretUntil'] as const),
  ...(['pausedAt', 'pausedBy'] as const),
] as const;

/** The number of newest deliveries whose attempts are counted. */
export const countedDeliveries = 200;

/** The ended attempts of the newest deliveries. Durations are in milliseconds, and null without an attempt that has one. */
export type AttemptFigures = {
  attempts: number;
  delivered: number;
  p50: number | null;
  p99: number | null;
  lastFailure: { at: string; reason: AttemptReason | null; responseStatus: number | null } | null;
};

/** Endpoints with their health, as members see them. They belong to both environments (decision 14). */
export const watchedEndpointsOf = ({ orgId }: OrgScope, db: Db) => {
  const ofOrganisation = db.selectFrom('webhook_endpoints').select(watched).where('orgId', '=', orgId);
  return {
    find: (id: string) => ofOrganisation.where('id', '=', id).executeTakeFirst(),

    /** When a key of sandbox changed the endpoint last. Undefined if none did. */
    async changedFromSandbox(id: string): Promise<Date | undefined> {
      const line = await db
        .selectFrom('ledger')
        .select('createdAt')
        .where('subjectId', '=', id)
        .where('orgId', '=', orgId)
        .where(sql<boolean>`data ->> 'by_environment' = 'sandbox'`)
        .orderBy('sequence', 'desc')
        .limit(1)
        .executeTakeFirst();
      return line?.createdAt;
    },

    /** Returns at most `limit` rows, newest first, that follow the row `after`. Inactive endpoints are included. */
    newest({ limit, after }: { limit: number; after: string | undefined }) {
      return ofOrganisation
        .$if(after !== undefined, (query) =>
          query.where(comesAfter('webhook_endpoints', after ?? '', { orgId })),
        )
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
    },

    /** The limit makes Postgres search the attempts of each delivery by themselves, and not read those of all endpoints. */
    async figures(endpointId: string): Promise<AttemptFigures> {
      const { rows } = await sql<AttemptFigures>`
        select count(*)::int as attempts, count(*) filter (where outcome = 'delivered')::int as delivered,
          percentile_disc(0.5) within group (order by duration_ms) as p50,
          percentile_disc(0.99) within group (order by duration_ms) as p99,
          (array_agg(json_build_object('at', started_at, 'reason', reason, 'responseStatus', response_status) order by started_at desc)
            filter (where outcome <> 'delivered'))[1] as "lastFailure"
        from (
          select id from deliveries where endpoint_id = ${endpointId} and org_id = ${orgId}
          order by created_at desc, id desc limit ${countedDeliveries}) as newest
        cross join lateral (
          select started_at, duration_ms, outcome, reason, response_status from delivery_attempts
          where delivery_id = newest.id and outcome is not null limit ${limits.deliveryAttemptsMax}) as attempt`.execute(
        db,
      );
      return rows[0] ?? { attempts: 0, delivered: 0, p50: null, p99: null, lastFailure: null };
    },
  };
};

export type WatchedEndpoint = Awaited<ReturnType<ReturnType<typeof watchedEndpointsOf>['newest']>>[number];
