import { limits } from '#contract/limits.ts';
import type { AgentVerificationList, ListVerifications } from '#contract/tools.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { pageOf } from '../portions/page.ts';
import { listedVerifications } from '../verifications/list.ts';
import { agentRow } from './view.ts';

/**
 * The tool list_verifications lists the verifications of the caller's organisation and environment. `reference` is only a filter and
 * never part of the answer. A `limit` above 25 is treated as 25 (specification 4.2, 8; decision 27).
 */
export async function findVerifications(
  ctx: Pick<Context, 'store'>,
  caller: Caller,
  { status, reference, limit, starting_after }: ListVerifications,
): Promise<AgentVerificationList> {
  assertMay(caller, 'verifications.see');
  const { newest, find } = listedVerifications(ctx, caller.scope);
  const page = { limit: Math.min(limit, limits.agentListLimitMax), starting_after };
  return pageOf({ newest: (at) => newest({ ...at, status, reference }), find }, page, agentRow);
}
