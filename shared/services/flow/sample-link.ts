import { defaultMethod } from '#contract/enums.ts';
import { settingsOf } from '#store/organisations/settings.ts';
import { assertMay, type Caller } from '../caller.ts';
import { noLink } from '../views/link.ts';
import { type Link, type LinkContext, readLink } from './find-link.ts';

/** No row has this id, so nothing is found for it. */
const noVerification = '00000000-0000-0000-0000-000000000000';

/**
 * The link of a verification that was just created, by what the organisation of a member has chosen. There is no such verification: nothing
 * is stored for it, and no token opens it.
 */
export async function sampleLink(
  ctx: Pick<LinkContext, 'store' | 'secrets' | 'clock'>,
  caller: Caller,
): Promise<Link> {
  assertMay(caller, 'organisation.see');
  const { scope } = caller;
  const shown = await settingsOf(scope, ctx.store.db).shown();
  return readLink(ctx, scope, {
    ...{ ...shown, id: noVerification, orgId: scope.orgId, environment: scope.environment },
    ...{ status: 'pending', method: defaultMethod, linkVersion: noLink, linkKeyId: '' },
    linkExpiresAt: new Date(8.64e15),
    ...{ submittedAt: null, cancelledAt: null, withdrawnAt: null, verdict: null },
  });
}
