import type { Harness } from '../../support/harness.ts';

/** Live verifications of twelve months, which a real organisation would have. */
export const fillUsage = ({ rows }: Pick<Harness, 'rows'>, orgId: string) => rows`
  insert into verifications (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at, verdict, completed_at)
  select gen_random_uuid(), ${orgId}, 'live', 'completed', 'document_only', 'dos_' || n, '00000001', now(),
    '{"outcome": "approved"}', now() - sqrt(n) * 8 * interval '1 day'
  from generate_series(1, 1800) as n`;
