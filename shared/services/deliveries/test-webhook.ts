import { TestedWebhook } from '#contract/webhook.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { webhookEndpointsOf } from '#store/webhooks/webhook-endpoints.ts';
import { startAskedDeliveries } from '../attempts/start.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { publish } from '../events/publish.ts';
import { nextLine } from '../ledger/append.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { type OnceContext, once } from '../requests/once.ts';
import { requireWebhook } from '../webhooks/get.ts';
import { assertActive } from './assert-active.ts';

/** `deliveryId` is undefined if a repetition gets the answer of an earlier request. */
type TestAnswer = GivenAnswer & { deliveryId: string | undefined };

/**
 * Sends `webhook.test` to one endpoint, whatever its `event_types` are (decision 32). A test of a key has no line in the ledger, since the
 * log of requests has it.
 */
export async function testWebhook(
  ctx: OnceContext & Pick<Context, 'temporal'>,
  caller: Caller,
  { id }: { id: string },
): Promise<TestAnswer> {
  assertMay(caller, 'webhooks.change');
  const { actor, scope } = caller;
  let deliveryId: string | undefined;
  const answer = await once(ctx, caller, 'test_webhook', async (tx) => {
    if (actor.kind !== 'key') await webhookEndpointsOf(scope, tx).lock(id);
    const { eventId, started, at } = await sendTest(tx, scope, id);
    deliveryId = started.deliveryIds[0];
    if (actor.kind !== 'key') {
      const data = { delivery_id: deliveryId ?? null };
      await writeAtOnce(
        tx,
        await nextLine(tx, scope, { subjectId: id, type: 'webhook.tested', actor, data, at }),
      );
    }
    return {
      status: 202,
      body: TestedWebhook.parse({ id: eventId }),
      afterCommit: () => startAskedDeliveries(ctx, started),
    };
  });
  return { ...answer, deliveryId };
}

async function sendTest(tx: Db, scope: OrgScope, id: string) {
  const endpoint = await requireWebhook(tx, scope, id);
  assertActive(endpoint);
  const { eventId, deliveryIds, writes } = publish(tx, scope, {
    type: 'webhook.test',
    data: { webhook_id: id },
    at: endpoint.now,
    verificationId: null,
    endpointIds: [id],
  });
  await writeAtOnce(tx, writes);
  const { orgId, environment } = scope;
  const started = { deliveryIds, orgId, environment, verificationId: null };
  return { eventId, started, at: endpoint.now };
}
