import { Problem } from '#contract/errors.ts';
import type { DeletedWebhookEndpoint } from '#contract/webhook.ts';
import type { OrgScope } from '#store/scope.ts';
import { writeAtOnce } from '#store/statements.ts';
import { webhookEndpointsOf } from '#store/webhook-endpoints.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context, Member, RequestContext } from '../context.ts';
import { nextLine } from '../ledger/append.ts';
import { byKey, byMember, type ChangedBy } from './changed-by.ts';

type DeleteContext = Pick<Context, 'store'>;

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
  return deactivate(ctx, caller.scope, byKey(ctx, caller), id);
}

/** Deactivates an endpoint for a member, with the same rules. */
export const deleteWebhookByMember = (
  ctx: DeleteContext & { scope: OrgScope },
  member: Member,
  id: string,
): Promise<DeletedWebhookEndpoint> => deactivate(ctx, ctx.scope, byMember(member), id);

const deactivate = (
  ctx: DeleteContext,
  scope: OrgScope,
  by: ChangedBy,
  id: string,
): Promise<DeletedWebhookEndpoint> =>
  ctx.store.transaction(async (tx) => {
    const endpoints = webhookEndpointsOf(scope, tx);
    const endpoint = await endpoints.lock(id);
    if (endpoint === undefined) throw new Problem('webhook_not_found');
    if (endpoint.active) {
      const line = await nextLine(tx, scope, {
        subjectId: id,
        type: 'webhook.deactivated',
        actor: by.actor,
        data: by.data,
        at: endpoint.now,
      });
      await writeAtOnce(tx, [endpoints.deactivate(id), endpoints.insertDeactivation(id), ...line]);
      by.note(id, endpoint.environment, 'webhook.deactivated');
    }
    return { id, object: 'webhook_endpoint', deleted: true };
  });
