import type { Environment } from '#contract/enums.ts';
import type { Harness } from '#test/support/harness.ts';
import { fillVerifications } from '#test/support/rows/fill.ts';

/** Returns a function that creates one completed verification for each of these moments. */
export const completedIn =
  ({ ctx, rows }: Pick<Harness, 'ctx' | 'rows'>) =>
  async (orgId: string, environment: Environment, ...moments: string[]): Promise<void> => {
    await fillVerifications(ctx, { orgId, environment, count: moments.length });
    await rows`
      update verifications set completed_at = (${moments}::timestamptz[])[numbered.n]
      from (
        select id, row_number() over () as n from verifications where org_id = ${orgId} and environment = ${environment}
      ) as numbered
      where verifications.id = numbered.id`;
  };
