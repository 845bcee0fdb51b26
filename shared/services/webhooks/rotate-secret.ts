import { Problem } from '#contract/errors.ts';
import { CreatedWebhookEndpoint, type RotateSecret } from '#contract/webhook.ts';
import { newWebhookSecret } from '#platform/crypto.ts';
import type { Db } from '#store/connection.ts';
import type { OrgScope } from '#store/scope.ts';
import { writeAtOnce } from '#store/statements.ts';
import { webhookEndpointsOf } from '#store/webhook-endpoints.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context, Member, RequestContext } from '../context.ts';
import { nextLine } from '../ledger/append.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { type OnceContext, once } from '../requests/once.ts';
import { byKey, byMember, type ChangedBy } from './changed-by.ts';
import { sealWebhookSecret } from './secret.ts';
import { webhookView } from './view.ts';

const hourMs = 3_600_000;

type Wanted = RotateSecret & { id: string };
type RotateContext = Pick<Context, 'store' | 'secrets'> & { scope: OrgScope };

/**
 * Gives an endpoint a new secret. During the overlap the old secret also signs (decision 35). A second rotation within the
 * overlap ends the oldest secret at once, so at most two secrets sign.
 */
export async function rotateSecret(
  ctx: OnceContext & Pick<RequestContext, 'log'>,
  caller: Caller,
  wanted: Wanted,
): Promise<GivenAnswer> {
  assertMay(caller, 'webhooks.change');
  const { scope } = caller;
  return once(ctx, caller, 'rotate_webhook_secret', async (tx) => ({
    status: 200,
    body: await rotate({ ...ctx, scope }, tx, byKey(ctx, caller), wanted),
  }));
}

/** Rotates the secret for a member, with the same rules. Only this answer contains the new secret. */
export const rotateSecretByMember = (
  ctx: RotateContext,
  member: Member,
  wanted: Wanted,
): Promise<CreatedWebhookEndpoint> =>
  ctx.store.transaction((tx) => rotate(ctx, tx, byMember(member), wanted));

async function rotate(
  ctx: RotateContext,
  tx: Db,
  by: ChangedBy,
  { id, overlap_hours }: Wanted,
): Promise<CreatedWebhookEndpoint> {
  const endpoints = webhookEndpointsOf(ctx.scope, tx);
  const endpoint = await endpoints.lock(id);
  if (endpoint === undefined) throw new Problem('webhook_not_found');
  const secret = newWebhookSecret();
  const change = {
    secret: sealWebhookSecret(ctx, id, secret),
    previousUntil: overlap_hours === 0 ? null : new Date(endpoint.now.getTime() + overlap_hours * hourMs),
  };
  const line = await nextLine(tx, ctx.scope, {
    subjectId: id,
    type: 'webhook.secret_rotated',
    actor: by.actor,
    data: { overlap_hours, ...by.data },
    at: endpoint.now,
  });
  await writeAtOnce(tx, [endpoints.rotateSecret(id, change), ...line]);
  by.note(id, endpoint.environment, 'webhook.secret_rotated');
  return CreatedWebhookEndpoint.parse({ ...webhookView(endpoint), secret });
}
