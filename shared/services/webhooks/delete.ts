import { Problem } from '#contract/errors.ts';
import type { DeletedWebhookEndpoint } from '#contract/webhook.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { webhookEndpointsOf } from '#store/webhooks/webhook-endpoints.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { RequestContext } from '../context.ts';
import { nextLine } from '../ledger/append.ts';
import { environmentOf, noteSandboxChange } from './note-sandbox-change.ts';

/**
 * Deactivates an endpoint (specification 3; decision 22). The endpoint stays readable. A worker soon cancels its open
 * deliveries (decision 50). A repetition gets the same answer.
 */
export async function deleteWebhook(
  ctx: Pick<RequestContext, 'store' | 'log'>,
  caller: Caller,
  { id }: { id: string },
): Promise<DeletedWebhookEndpoint> {
  assertMay(caller, 'webhooks.change');
  const { actor, scope } = caller;
  return ctx.store.transaction(async (tx) => {
    const endpoints = webhookEndpointsOf(scope, tx);
    const endpoint = await endpoints.lock(id);
    if (endpoint === undefined) throw new Problem('webhook_not_found');
    if (endpoint.active) {
      const line = await nextLine(tx, scope, {
        subjectId: id,
        type: 'webhook.deactivated',
        actor,
        data: environmentOf(caller),
        at: endpoint.now,
      });
      await writeAtOnce(tx, [endpoints.deactivate(id), endpoints.insertDeactivation(id), ...line]);
      noteSandboxChange(ctx, caller, endpoint, 'webhook.deactivated');
    }
    return { id, object: 'webhook_endpoint', deleted: true };
  });
}
