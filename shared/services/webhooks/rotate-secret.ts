import { Problem } from '#contract/errors.ts';
import { hourMs } from '#contract/time.ts';
import { CreatedWebhookEndpoint, type RotateSecret } from '#contract/webhook.ts';
import { newWebhookSecret } from '#platform/crypto/crypto.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { webhookEndpointsOf } from '#store/webhooks/webhook-endpoints.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { RequestContext } from '../context.ts';
import { nextLine } from '../ledger/append.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { type OnceContext, once } from '../requests/once.ts';
import { environmentOf, noteSandboxChange } from './note-sandbox-change.ts';
import { sealWebhookSecret } from './secret.ts';
import { webhookView } from './view.ts';

/**
 * Gives an endpoint a new secret. During the overlap the old secret also signs (decision 35). A second rotation within the
 * overlap ends the oldest secret at once, so at most two secrets sign. Only this answer contains the new secret.
 */
export async function rotateSecret(
  ctx: OnceContext & Pick<RequestContext, 'log'>,
  caller: Caller,
  { id, overlap_hours }: RotateSecret & { id: string },
): Promise<GivenAnswer> {
  assertMay(caller, 'webhooks.change');
  const { actor, scope } = caller;
  return once(ctx, caller, 'rotate_webhook_secret', async (tx) => {
    const endpoints = webhookEndpointsOf(scope, tx);
    const endpoint = await endpoints.lock(id);
    if (endpoint === undefined) throw new Problem('webhook_not_found');
    const secret = newWebhookSecret();
    const change = {
      secret: sealWebhookSecret(ctx, id, secret),
      previousUntil: overlap_hours === 0 ? null : new Date(endpoint.now.getTime() + overlap_hours * hourMs),
    };
    const line = await nextLine(tx, scope, {
      subjectId: id,
      type: 'webhook.secret_rotated',
      actor,
      data: { overlap_hours, ...environmentOf(caller) },
      at: endpoint.now,
    });
    await writeAtOnce(tx, [endpoints.rotateSecret(id, change), ...line]);
    noteSandboxChange(ctx, caller, endpoint, 'webhook.secret_rotated');
    return { status: 200, body: CreatedWebhookEndpoint.parse({ ...webhookView(endpoint), secret }) };
  });
}
