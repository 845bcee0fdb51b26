import { limits } from '#contract/limits.ts';
import type { AgentVerificationList, ListVerifications } from '#contract/tools.ts';
import type { CallerContext } from '../context.ts';
import { pageOf } from '../lists/page.ts';
import { listedVerifications } from '../verifications/list.ts';
import { agentRow } from './view.ts';

/**
 * The tool list_verifications lists the verifications of the key's organisation and environment. `reference` is only a filter and
 * never part of the answer. A `limit` above 25 is treated as 25 (specification 4.2, 8; decision 27).
 */
export function findVerifications(
  ctx: CallerContext,
  { status, reference, limit, starting_after }: ListVerifications,
): Promise<AgentVerificationList> {
  const { newest, find } = listedVerifications(ctx);
  const page = { limit: Math.min(limit, limits.agentListLimitMax), starting_after };
  return pageOf({ newest: (at) => newest({ ...at, status, reference }), find }, page, agentRow);
}
