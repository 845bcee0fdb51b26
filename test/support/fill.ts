import type { DeliveryStatus, Environment } from '#contract/enums.ts';
import type { Context } from '#services/context.ts';
import type { Harness } from './harness.ts';
import type { Partner } from './partner.ts';
import { rowsIn } from './rows.ts';

type Fill = {
  orgId: string;
  environment: Environment;
  count: number;
  /** The number of rows with the same created_at. Equal times show a wrong order if rows are ordered by time alone. */
  perMoment?: number;
};

const verdict = JSON.stringify({
  outcome: 'approved',
  assuranceLevel: 'substantial',
  reasonIds: ['all_checks_passed'],
  checks: [],
  reviewed: false,
});

/** Inserts many completed verifications. Each group of `perMoment` rows is a millisecond older than the group before. */
export async function fillVerifications(
  { store, secrets }: Pick<Context, 'store' | 'secrets'>,
  { orgId, environment, count, perMoment = 1 }: Fill,
): Promise<void> {
  await rowsIn(store)`
    insert into verifications
      (id, org_id, environment, status, method, scenario, dossier_ref, link_key_id, link_expires_at, verdict,
       created_at, completed_at)
    select gen_random_uuid(), ${orgId}, ${environment}, 'completed', 'document_liveness', 'approved',
      'dos_' || gen_random_uuid(), ${secrets.newestKeyId}, now() + interval '7 days', ${verdict}::jsonb,
      now() - (n / ${perMoment}::int) * interval '1 ms', now()
    from generate_series(1, ${count}::int) as n`;
}

type FillDeliveries = {
  status: DeliveryStatus;
  count: number;
  perMoment?: number;
  attempts?: number;
};

/** Inserts many deliveries to this partner. Each delivery has its own event. */
export async function fillDeliveries(
  { rows }: Pick<Harness, 'rows'>,
  { organisationId: orgId, endpoint }: Pick<Partner, 'organisationId' | 'endpoint'>,
  { status, count, perMoment = 1, attempts = 1 }: FillDeliveries,
): Promise<void> {
  await rows`
    with made as (
      insert into events (id, org_id, environment, type, body, created_at)
      select 'evt_' || gen_random_uuid(), ${orgId}, 'sandbox', 'verification.completed', '\\x7b7d',
        now() - (n / ${perMoment}::int) * interval '1 ms'
      from generate_series(1, ${count}::int) as n returning id, created_at
    ), delivered as (
      insert into deliveries (id, org_id, environment, event_id, endpoint_id, status, attempts_allowed, created_at)
      select gen_random_uuid(), ${orgId}, 'sandbox', id, ${endpoint.id}, ${status}, 6, created_at from made
      returning id, created_at
    )
    insert into delivery_attempts (delivery_id, number, started_at, duration_ms, outcome, reason, response_status)
    select id, n, created_at + n * interval '1 ms', 5,
      case when ${status} = 'delivered' and n = ${attempts}::int then 'delivered' else 'failed' end,
      case when ${status} = 'delivered' and n = ${attempts}::int then null else 'http_status' end,
      case when ${status} = 'delivered' and n = ${attempts}::int then 200 else 500 end
    from delivered, generate_series(1, ${attempts}::int) as n`;
}
