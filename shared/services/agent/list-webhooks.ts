import { limits } from '#contract/limits.ts';
import type { AgentWebhook, AgentWebhookList } from '#contract/tools.ts';
import { type FollowedEndpointRow, webhookEndpointsOf } from '#store/webhooks/webhook-endpoints.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { pageOf } from '../portions/page.ts';
import { webhookView } from '../webhooks/view.ts';

/** The tool list_webhooks returns the newest endpoints with the result of their last delivery, but no secret (decision 27). */
export async function followWebhooks(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
): Promise<AgentWebhookList> {
  assertMay(caller, 'webhooks.see');
  const { newestWithLastDelivery: newest, find } = webhookEndpointsOf(caller.scope, store.db);
  return pageOf({ newest, find }, { limit: limits.agentListLimitMax }, followed);
}

const followed = ({ lastDelivery: last, ...endpoint }: FollowedEndpointRow): AgentWebhook => ({
  ...webhookView(endpoint),
  last_delivery: last && {
    event_type: last.eventType,
    status: last.status,
    attempts: last.attempts,
    last_attempt_at: new Date(last.lastAttemptAt).toISOString(),
    response_status: last.responseStatus,
  },
});
