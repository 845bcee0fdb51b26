import { Problem } from '#contract/errors.ts';
import { Unavailable } from '#platform/failures.ts';
import { resources } from '#policy/resources.ts';
import { keptSince } from '#policy/retention.ts';
import { decisionAtOnce } from '#policy/verdicts/sandbox.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { type OpenClaim, openCreatesOf } from '#store/requests.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import type { Context } from '../context.ts';
import { readUntil } from './ask-then-read.ts';
import { bringsPapers, type StoredCreate } from './stored-create.ts';

const notFoundCodes: readonly string[] = Object.values(resources).map(({ notFound }) => notFound);

export type LostContext = Pick<Context, 'store' | 'temporal' | 'clock'> & { deadlineAt: number };

/**
 * Does the work. If the work does not find the verification, although its create is claimed, an older database has lost the row
 * (decision 53). Then the create is carried out again, and the work is done once more. Without such a claim it is done once more too:
 * another caller of the same moment may have closed the claim, and recorded the row, after this one looked for the row.
 */
export async function evenIfLost<Result>(
  ctx: LostContext,
  scope: OrgScope,
  id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || !notFoundCodes.includes(error.code)) throw error;
    const claim = await openCreatesOf(scope, ctx.store.db).find(id, openSince(ctx));
    // Documents come again only with the request itself.
    if (claim !== undefined && !needsRequest(scope, claim)) await recordLost(ctx, scope, claim);
    return work();
  }
}

const needsRequest = ({ environment }: OrgScope, { input }: OpenClaim): boolean =>
  bringsPapers(input as StoredCreate) && decisionAtOnce(environment, input as StoredCreate) === null;

/** An older claim is carried out no more (decision 21). */
export const openSince = ({ clock }: Pick<Context, 'clock'>): Date => keptSince('claims', clock.now());

/**
 * Has the create carried out again, and waits for its row. A run that sleeps looks at the database again, and a lost one is started. A
 * run is not replaced: it may have orders of others, who ask for the same verification at the same moment.
 */
export async function recordLost(
  { store, temporal, deadlineAt }: LostContext,
  scope: OrgScope,
  { id, input }: OpenClaim,
): Promise<void> {
  const { method } = input as StoredCreate;
  await temporal.resumeVerification({ verificationId: id, ...scope, method });
  const row = await readUntil(() => verificationsOf(scope, store.db).find(id), deadlineAt);
  if (row === undefined) throw new Unavailable('temporal');
}
