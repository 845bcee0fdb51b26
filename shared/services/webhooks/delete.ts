import { Problem } from '#contract/errors.ts';
import type { DeletedWebhookEndpoint } from '#contract/webhook.ts';
import type { OrgScope } from '#store/scope.ts';
import { writeAtOnce } from '#store/statements.ts';
import { webhookEndpointsOf } from '#store/webhook-endpoints.ts';
import type { CallerContext, Context, Member } from '../context.ts';
import { nextLine } from '../ledger/append.ts';
import { byKey, byMember, type ChangedBy } from './changed-by.ts';

type DeleteContext = Pick<Context, 'store'> & { scope: OrgScope };

/**
 * Deactivates an endpoint (specification 3; decision 22). The endpoint stays readable. A worker soon cancels its open
 * deliveries (decision 50). A repetition gets the same answer.
 */
export const deleteWebhook = (ctx: CallerContext, { id }: { id: string }): Promise<DeletedWebhookEndpoint> =>
  deactivate(ctx, byKey(ctx), id);

/** Deactivates an endpoint for a member, with the same rules. */
export const deleteWebhookByMember = (
  ctx: DeleteContext,
  member: Member,
  id: string,
): Promise<DeletedWebhookEndpoint> => deactivate(ctx, byMember(member), id);

const deactivate = (ctx: DeleteContext, by: ChangedBy, id: string): Promise<DeletedWebhookEndpoint> =>
  ctx.store.transaction(async (tx) => {
    const endpoints = webhookEndpointsOf(ctx.scope, tx);
    const endpoint = await endpoints.lock(id);
    if (endpoint === undefined) throw new Problem('webhook_not_found');
    if (endpoint.active) {
      const line = await nextLine(tx, ctx.scope, {
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
