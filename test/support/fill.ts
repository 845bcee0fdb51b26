import { sql } from 'kysely';
import type { Environment } from '#contract/enums.ts';
import type { Context } from '#services/context.ts';

type Fill = {
  orgId: string;
  environment: Environment;
  count: number;
  /** How many share one created_at: ties are what an order by time alone gets wrong. */
  perMoment?: number;
};

const verdict = JSON.stringify({
  outcome: 'approved',
  assuranceLevel: 'substantial',
  reasonIds: ['all_checks_passed'],
  checks: [],
  reviewed: false,
});

/** Puts many completed verifications into the table at once, each `perMoment` of them a millisecond older than the last. */
export async function fillVerifications(
  { store, secrets }: Pick<Context, 'store' | 'secrets'>,
  { orgId, environment, count, perMoment = 1 }: Fill,
): Promise<void> {
  await sql`
    insert into verifications
      (id, org_id, environment, status, method, scenario, dossier_ref, link_key_id, link_expires_at, verdict,
       created_at, completed_at)
    select gen_random_uuid(), ${orgId}, ${environment}, 'completed', 'document_liveness', 'approved',
      'dos_' || gen_random_uuid(), ${secrets.newestKeyId}, now() + interval '7 days', ${verdict}::jsonb,
      now() - (n / ${perMoment}::int) * interval '1 ms', now()
    from generate_series(1, ${count}::int) as n`.execute(store.db);
}
